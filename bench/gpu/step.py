"""The same training steps in PyTorch on the same card: eager TF32, and as a CUDA graph in TF32 and bf16 (channels last); many
LeNets as one network of grouped convolutions and batched products. With the word `compile`, torch.compile as well; with `only`, that
alone. Prints milliseconds of a step, the median of five rounds."""
import os
import statistics
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "yardsticks"))
from networks import Block, LeNet  # noqa: E402

torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True
torch.backends.cudnn.benchmark = True


def resnet(depths, classes):
    layers = [nn.Conv2d(3, 64, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU()]
    inputs = 64
    for stage, depth in enumerate(depths):
        for i in range(depth):
            layers.append(Block(inputs, 64 * 2**stage, 2 if stage > 0 and i == 0 else 1))
            inputs = 64 * 2**stage
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, classes))


class LeNets(nn.Module):
    """Networks with parameters of their own: channels in groups, matrices in batches."""

    def __init__(self, count):
        super().__init__()
        self.count = count
        self.conv1 = nn.Conv2d(count, 6 * count, 5, groups=count)
        self.conv2 = nn.Conv2d(6 * count, 16 * count, 5, groups=count)
        sizes = [(256, 120), (120, 84), (84, 10)]
        self.weights = nn.ParameterList([nn.Parameter(torch.randn(count, i, o) / i**0.5) for i, o in sizes])
        self.biases = nn.ParameterList([nn.Parameter(torch.zeros(count, 1, o)) for _, o in sizes])

    def forward(self, x):
        h = F.max_pool2d(F.relu(self.conv1(x)), 2)
        h = F.max_pool2d(F.relu(self.conv2(h)), 2)
        h = h.reshape(h.shape[0], self.count, 256).transpose(0, 1)
        for k, (w, b) in enumerate(zip(self.weights, self.biases)):
            h = torch.baddbmm(b, h, w)
            if k < 2:
                h = F.relu(h)
        return h.reshape(-1, 10)


def measure(name, model, image, batch, classes, bf16, graph, compiled, steps, count=1):
    model = model.cuda()
    if bf16:
        model = model.to(memory_format=torch.channels_last)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, weight_decay=5e-4, fused=True)
    x = torch.randn(batch, *image, device="cuda")
    if bf16:
        x = x.to(memory_format=torch.channels_last)
    y = torch.randint(0, classes, (count * batch,), device="cuda")
    w = torch.full((count * batch,), 1 / batch, device="cuda")

    def loss_of(x, y, w):
        with torch.autocast("cuda", torch.bfloat16, enabled=bf16):
            logits = model(x)
        losses = F.cross_entropy(logits.float(), y, reduction="none")
        return (losses * w).sum(), losses

    torch._dynamo.reset()
    forward = torch.compile(loss_of, dynamic=False) if compiled else loss_of

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss, _ = forward(x, y, w)
        loss.backward()
        optimizer.step()

    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(5):
            step()
    torch.cuda.current_stream().wait_stream(side)
    run = step
    if graph:
        captured = torch.cuda.CUDAGraph()
        with torch.cuda.graph(captured):
            step()
        run = captured.replay
    for _ in range(10):
        run()
    rounds = []
    for _ in range(5):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        for _ in range(steps):
            run()
        end.record()
        end.synchronize()
        rounds.append(start.elapsed_time(end) / steps / count)
    kind = ("graph" if graph else "eager") + (" bf16" if bf16 else " tf32") + (" compiled" if compiled else "")
    each = f"{count} x " if count > 1 else ""
    print(f"pytorch {torch.__version__}: {each}{name}, batch {batch}, {kind}: {statistics.median(rounds):.4f} ms a step", flush=True)


compiled, plain = "compile" in sys.argv, "only" not in sys.argv
for name, make, image, batch, classes, steps in [
    ("lenet", LeNet, (1, 28, 28), 32, 10, 400),
    ("resnet18", lambda: resnet([2, 2, 2, 2], 10), (3, 32, 32), 128, 10, 50),
    ("resnet34", lambda: resnet([3, 4, 6, 3], 100), (3, 32, 32), 128, 100, 30),
]:
    if plain:
        measure(name, make(), image, batch, classes, False, False, False, steps)
        measure(name, make(), image, batch, classes, False, True, False, steps)
    if plain and name != "lenet":
        measure(name, make(), image, batch, classes, True, True, False, steps)
    if compiled:
        measure(name, make(), image, batch, classes, name != "lenet", True, True, steps)
for count in [40, 120]:
    if plain:
        measure("lenet", LeNets(count), (count, 28, 28), 32, 10, False, True, False, 50, count)
    if compiled and count == 120:
        measure("lenet", LeNets(count), (count, 28, 28), 32, 10, False, True, True, 50, count)
