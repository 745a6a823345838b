"""Epochs of RLVI (Algorithm 2) with ResNet18 in PyTorch, each begun where another trainer began it, and compared with what that one
made of it. Reads a line of JSON and the arrays that it names, again and again; answers each epoch with a line."""
import json
import sys

import numpy as np
import torch
import torch.nn.functional as F

from algorithm2 import begins_to_overfit, e_step, threshold_of
from networks import ResNet18

TYPES = {"Float32Array": np.float32, "Float64Array": np.float64, "Int32Array": np.int32, "Uint8Array": np.uint8}


def receive():
    line = sys.stdin.buffer.readline()
    if not line:
        return None
    head = json.loads(line)
    for part in head.pop("arrays"):
        kind = np.dtype(TYPES[part["type"]])
        head[part["name"]] = np.frombuffer(sys.stdin.buffer.read(kind.itemsize * part["length"]), kind).copy()
    return head


MEAN = np.array([0.4914, 0.4822, 0.4465], np.float32).reshape(3, 1, 1)
SD = np.array([0.2023, 0.1994, 0.2010], np.float32).reshape(3, 1, 1)


def prepared(image, down, right, flips):
    """A window of the image with four black pixels around it, perhaps mirrored."""
    window = np.pad(image, ((0, 0), (4, 4), (4, 4)))[:, 4 + down : 36 + down, 4 + right : 36 + right]
    if flips & 1:
        window = window[:, :, ::-1]
    return (window.astype(np.float32) / 255 - MEAN) / SD


def far(ours, theirs, scale):
    return float(np.linalg.norm(ours - theirs) / max(np.linalg.norm(scale), 1e-300))


class Trainer:
    """A network and its optimizer, whose momentum is its own from epoch to epoch."""

    def __init__(self, decay):
        self.model = ResNet18()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01, momentum=0.9, weight_decay=decay)

    def values(self):
        state = self.model.state_dict()
        return {name: state[name].numpy().ravel().copy() for name in state if not name.endswith("num_batches_tracked")}

    def epoch(self, start, rate, batches, weights):
        """Losses of all samples, as they were before the step on their batch."""
        state = self.model.state_dict()
        for name, values in start.items():
            state[name].copy_(torch.from_numpy(values).reshape(state[name].shape))
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        losses = np.zeros(len(labels))
        self.model.train()
        for x, places in batches:
            each = F.cross_entropy(self.model(x), labels[places], reduction="none")
            losses[places] = each.detach().double().numpy()
            self.optimizer.zero_grad()
            (each * weights[places]).mean().backward()
            self.optimizer.step()
        return losses

    def accuracy(self):
        self.model.eval()
        with torch.no_grad():
            classes = np.concatenate([self.model(part).argmax(1).numpy() for part in held.split(500)])
        return float((classes == setup["heldLabels"]).mean())


torch.manual_seed(0)
setup = receive()
labels = torch.from_numpy(setup["given"]).long()
held = torch.from_numpy(setup["held"]).reshape(-1, 3, 32, 32)
# The second one begins each epoch with its parameters off in the last digit: what that comes to is what rounding alone does.
trainer, jittered = Trainer(setup["decay"]), Trainer(setup["decay"])
accuracies, threshold, overfit = [], 0.0, False

while True:
    epoch = receive()
    if epoch is None:
        break
    start = {name: epoch[f"p.{name}"] for name in trainer.values()}
    after = {name: epoch[f"after.{name}"] for name in start}
    order = epoch["order"]
    moves = epoch["moves"].reshape(-1, 3)
    x = np.stack([prepared(image, *move) for image, move in zip(epoch["pixels"].reshape(-1, 3, 32, 32), moves)])
    cuts = range(setup["batch"], len(order), setup["batch"])
    batches = [
        (torch.from_numpy(images), torch.from_numpy(places).long())
        for images, places in zip(np.split(x, cuts), np.split(order, cuts))
    ]
    before = epoch["cleanBefore"]
    weights = torch.from_numpy(before).float()
    losses = trainer.epoch(start, epoch["rate"], batches, weights)
    noise = np.random.default_rng(0)
    near = {name: (v * (1 + 1e-7 * noise.standard_normal(len(v)))).astype(np.float32) for name, v in start.items()}
    rounded = jittered.epoch(near, epoch["rate"], batches, weights)
    parts = [np.concatenate(list(values.values())) for values in (start, after, trainer.values(), jittered.values())]
    begun, ours, theirs, others = parts
    # The decisions from our numbers: one image more or less may turn them.
    clean = e_step(epoch["losses"], before)
    own = e_step(losses, before)
    if overfit:
        threshold = max(threshold, threshold_of(clean))
        clean = np.where(clean < threshold, 0, clean)
        own = np.where(own < threshold, 0, own)
    accuracies.append(epoch["accuracy"])
    overfit = overfit or begins_to_overfit(accuracies)
    answer = {
        "images": float(np.abs(x - epoch["fed"].reshape(x.shape)).max()),
        "losses": far(epoch["losses"], losses, losses),
        "roundedLosses": far(rounded, losses, losses),
        "parameters": far(ours, theirs, theirs - begun),
        "roundedParameters": far(others, theirs, theirs - begun),
        "clean": float(np.abs(epoch["clean"] - clean).max()),
        "ownClean": float(np.sqrt(np.mean((epoch["clean"] - own) ** 2))),
        "threshold": float(abs(epoch["threshold"] - threshold)),
        "accuracy": trainer.accuracy(),
        "overfit": overfit,
    }
    print(json.dumps(answer), flush=True)
