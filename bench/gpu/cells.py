"""RLVI (Algorithm 2, its released E-step) with ResNet18 on CIFAR-10 in PyTorch, on the labels and the held-out images of our own cells
(labels.ts): bf16, channels last, compiled, a step as a CUDA graph, several runs on threads and streams of their own. Order, windows,
flips and first parameters are PyTorch's own.

  python3 cells.py DATA LABELS OUT PARALLEL EPOCHS NOISE:RATE:SEED ...

DATA has CIFAR-10's binary files. OUT/NOISE-RATE-SEED.json has the epochs of each, written anew every ten. Without a card, and with a
number of images in RLVI_LIMIT, everything but the graph can be tried."""
import contextlib
import json
import os
import sys
import threading
import time

import numpy as np
import torch
import torch.nn.functional as F

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [here, os.path.join(here, "..", "yardsticks")]
from algorithm2 import begins_to_overfit, e_step, threshold_of  # noqa: E402
from networks import ResNet18  # noqa: E402

BATCH, DECAY, MOMENTUM, RATE = 128, 5e-4, 0.9, 0.01
ON_CARD = torch.cuda.is_available()
DEVICE = torch.device("cuda" if ON_CARD else "cpu")
torch.backends.cudnn.benchmark = True


def read(folder, names):
    """Labels and images of CIFAR-10's binary files."""
    rows = np.concatenate([np.fromfile(os.path.join(folder, name), np.uint8).reshape(-1, 3073) for name in names])
    return rows[:, 0].astype(np.int64), torch.from_numpy(rows[:, 1:].reshape(-1, 3, 32, 32).copy()).to(DEVICE)


def scaled(pixels):
    x = (pixels.float() / 255 - MEAN) / SD
    return x.to(memory_format=torch.channels_last) if ON_CARD else x


def colours(values):
    return torch.tensor(values, device=DEVICE).reshape(1, 3, 1, 1)


MEAN, SD = colours([0.4914, 0.4822, 0.4465]), colours([0.2023, 0.1994, 0.2010])


def logits_of(model, x):
    """The convolutions in bf16, the last layer and the loss in float32."""
    with torch.autocast(DEVICE.type, torch.bfloat16, enabled=ON_CARD, cache_enabled=False):
        h = F.relu(model.bn1(model.conv1(x)))
        for stage in range(4):
            h = getattr(model, f"layer{stage + 1}")(h)
    return model.fc(h.float().mean((2, 3)))


fused = torch.compile(logits_of, dynamic=False) if ON_CARD else logits_of


class Run:
    def __init__(self, name, data, labels_folder, epochs):
        self.name, self.epochs = name, epochs
        noise, rate, seed = name.split(":")
        truth, self.padded, self.images, self.test = data
        given, held = np.fromfile(os.path.join(labels_folder, f"{noise}-{rate}-{seed}.labels"), np.uint8).reshape(2, -1)
        given, held = given[: len(truth)], held[: len(truth)]
        self.members = torch.from_numpy(np.flatnonzero(held == 0)).to(DEVICE)
        self.held = torch.from_numpy(np.flatnonzero(held)).to(DEVICE)
        self.held_labels = torch.from_numpy(given[held == 1].astype(np.int64)).to(DEVICE)
        self.corrupt = (given != truth)[held == 0]
        n = len(self.members)
        self.labels = torch.from_numpy(given[held == 0].astype(np.int64)).to(DEVICE)
        torch.manual_seed(int(seed))
        self.chance = torch.Generator(DEVICE).manual_seed(int(seed))
        self.model = ResNet18().to(DEVICE)
        if ON_CARD:
            self.model = self.model.to(memory_format=torch.channels_last)
        self.parameters = list(self.model.parameters())
        self.momenta = [torch.zeros_like(p) for p in self.parameters]
        self.weights, self.losses = torch.ones(n, device=DEVICE), torch.zeros(n, device=DEVICE)
        self.order = torch.randperm(n, device=DEVICE)
        self.moves = torch.zeros(n, 3, dtype=torch.long, device=DEVICE)
        self.at = torch.zeros(1, dtype=torch.long, device=DEVICE)
        self.down = torch.tensor(-RATE, device=DEVICE)
        self.clean, self.threshold, self.overfit = np.ones(n), 0.0, False
        self.accuracies, self.lines = [], []
        self.stream = torch.cuda.Stream() if ON_CARD else None
        self.graph = self.record() if ON_CARD else None

    def within(self):
        return torch.cuda.stream(self.stream) if ON_CARD else contextlib.nullcontext()

    def batch(self, size):
        """The next places of the epoch's order, and their images, moved and perhaps mirrored."""
        at = self.at + torch.arange(size, device=DEVICE)
        places, (top, left, flip) = self.order[at], self.moves[at].T
        steps = torch.arange(32, device=DEVICE)
        rows = top[:, None] + steps
        columns = left[:, None] + torch.where(flip[:, None] == 1, 31 - steps, steps)
        channels = torch.arange(3, device=DEVICE)
        x = self.padded[
            self.members[places][:, None, None, None],
            channels[None, :, None, None],
            rows[:, None, :, None],
            columns[:, None, None, :],
        ]
        self.at += size
        return places, scaled(x)

    def step(self, size):
        places, x = self.batch(size)
        logits = (fused if size == BATCH else logits_of)(self.model, x)
        each = F.cross_entropy(logits, self.labels[places], reduction="none")
        gradients = torch.autograd.grad((each * self.weights[places]).mean(), self.parameters)
        with torch.no_grad():
            self.losses.index_copy_(0, places, each.detach())
            torch._foreach_mul_(self.momenta, MOMENTUM)
            torch._foreach_add_(self.momenta, gradients)
            torch._foreach_add_(self.momenta, self.parameters, alpha=DECAY)
            scale = self.down if ON_CARD else float(self.down)
            torch._foreach_add_(self.parameters, torch._foreach_mul(self.momenta, scale))

    def record(self):
        """A step as a graph, whose trial steps leave nothing behind."""
        state = [t for t in self.model.state_dict().values()] + self.momenta + [self.at, self.losses]
        kept = [t.clone() for t in state]
        with self.within():
            for _ in range(3):
                self.step(BATCH)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=self.stream):
            self.step(BATCH)
        with torch.no_grad():
            for t, old in zip(state, kept):
                t.copy_(old)
        torch.cuda.synchronize()
        return graph

    def begin(self, epoch):
        n = len(self.members)
        self.model.train()
        self.down.fill_(-RATE / 2 * (1 + np.cos(np.pi * (epoch - 1) / self.epochs)))
        drawn = {"device": DEVICE, "generator": self.chance}
        self.order.copy_(torch.randperm(n, **drawn))
        self.moves.copy_(torch.stack([torch.randint(0, k, (n,), **drawn) for k in (9, 9, 2)], 1))
        self.at.zero_()

    def accuracy(self, images, labels):
        """Of the network as it is used: with its running statistics."""
        self.model.eval()
        with torch.no_grad():
            right = [
                (logits_of(self.model, scaled(x)).argmax(1) == y).sum() for x, y in zip(images.split(500), labels.split(500))
            ]
        return float(sum(right)) / len(labels)

    def end(self, epoch, begun):
        losses = self.losses.cpu().double().numpy()
        self.clean = e_step(losses, self.clean)
        if self.overfit:
            self.threshold = max(self.threshold, threshold_of(self.clean))
            self.clean = np.where(self.clean < self.threshold, 0, self.clean)
        self.weights.copy_(torch.from_numpy(self.clean).float())
        self.accuracies.append(self.accuracy(self.images[self.held], self.held_labels))
        self.overfit = self.overfit or begins_to_overfit(self.accuracies)
        isTested = epoch <= 20 or epoch % 10 == 0 or epoch == self.epochs
        kept = self.clean > self.threshold
        line = {
            "epoch": epoch,
            "validation": self.accuracies[-1],
            "test": self.accuracy(*self.test) if isTested else None,
            "overfit": self.overfit,
            "threshold": self.threshold if self.threshold > 0 else None,
            "cleanKept": float(kept[~self.corrupt].mean()),
            "corruptCaught": float((~kept)[self.corrupt].mean()),
            "seconds": time.time() - begun,
        }
        self.lines.append(line)
        return line


def train(run, out, epochs):
    """An epoch after the other, written anew every ten."""
    path = os.path.join(out, run.name.replace(":", "-") + ".json")
    full, rest = divmod(len(run.members), BATCH)
    with run.within():
        for epoch in range(1, epochs + 1):
            begun = time.time()
            run.begin(epoch)
            for _ in range(full):
                run.graph.replay() if run.graph else run.step(BATCH)
            if rest:
                run.step(rest)
            line = run.end(epoch, begun)
            if epoch % 10 == 0 or epoch <= 2:
                print(run.name, json.dumps(line), flush=True)
            if epoch % 10 == 0 or epoch == epochs:
                with open(path + ".part", "w") as file:
                    json.dump({"cell": run.name, "by": f"PyTorch {torch.__version__}", "epochs": run.lines}, file)
                os.replace(path + ".part", path)


def together(names, data, labels_folder, out, epochs):
    """Runs that share the card, each on a thread and a stream of its own, so that one learns while another is looked at."""
    runs = [Run(name, data, labels_folder, epochs) for name in names]
    threads = [threading.Thread(target=train, args=(run, out, epochs)) for run in runs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main():
    folder, labels_folder, out, parallel, epochs, *cells = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    limit = int(os.environ.get("RLVI_LIMIT", "50000"))
    truth, images = read(folder, [f"data_batch_{k}.bin" for k in range(1, 6)])
    test_labels, test = read(folder, ["test_batch.bin"])
    truth, images, test_labels, test = truth[:limit], images[:limit], test_labels[:limit], test[:limit]
    padded = F.pad(images, (4, 4, 4, 4))
    data = truth, padded, images, (test, torch.from_numpy(test_labels).to(DEVICE))
    begun = time.time()
    for at in range(0, len(cells), int(parallel)):
        together(cells[at : at + int(parallel)], data, labels_folder, out, int(epochs))
        print(f"{time.time() - begun:.0f} s", flush=True)


main()
