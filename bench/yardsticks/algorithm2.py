"""What Algorithm 2 does between epochs, in numpy, as the released code has it."""
import numpy as np


def e_step(losses, previous):
    """Losses from the least one on, mean weight from .95, at most 40 rounds; then the largest weight is 1."""
    likelihood = np.exp(-(losses - losses.min()))
    mean = 0.95
    for _ in range(40):
        weights = mean * likelihood / (mean * likelihood + 1 - mean)
        if np.linalg.norm(weights - previous) < 1e-3:
            break
        mean, previous = weights.mean(), weights
    return weights / weights.max()


def threshold_of(weights, alpha=0.05):
    """The smallest weight that keeps the expected share of corrupt samples among those kept to alpha of all that are expected."""
    falling = np.sort(weights)[::-1]
    expected = np.cumsum(1 - falling)
    kept = np.nonzero(expected <= alpha * expected[-1])[0]
    return falling[kept[-1]] if len(kept) else 0.0


def begins_to_overfit(accuracies):
    """Whether the last accuracy on held-out labels is below the mean of the two before it."""
    return len(accuracies) >= 3 and accuracies[-1] < (accuracies[-2] + accuracies[-3]) / 2
