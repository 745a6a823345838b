"""A training step of LeNet or ResNet18 in PyTorch: SGD with momentum, per-sample weights and losses."""
import json
import resource
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

name, batch, steps = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
torch.set_num_threads(int(sys.argv[4]))
torch.manual_seed(1)


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(256, 120)
        self.fc2 = nn.Linear(120, 84)
        self.fc3 = nn.Linear(84, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = F.relu(self.fc1(x.flatten(1)))
        return self.fc3(F.relu(self.fc2(x)))


class Block(nn.Module):
    def __init__(self, before, channels, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(before, channels, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(channels)
        self.shortcut = nn.Sequential()
        if stride != 1 or before != channels:
            conv = nn.Conv2d(before, channels, 1, stride, bias=False)
            self.shortcut = nn.Sequential(conv, nn.BatchNorm2d(channels))

    def forward(self, x):
        h = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        return F.relu(h + self.shortcut(x))


class ResNet18(nn.Module):
    def __init__(self):
        super().__init__()
        layers = [nn.Conv2d(3, 64, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU()]
        before = 64
        for stage in range(4):
            for block in range(2):
                channels = 64 * 2**stage
                layers.append(Block(before, channels, 2 if stage > 0 and block == 0 else 1))
                before = channels
        self.body = nn.Sequential(*layers)
        self.fc = nn.Linear(512, 10)

    def forward(self, x):
        return self.fc(self.body(x).mean((2, 3)))


net = LeNet() if name == "lenet" else ResNet18()
decay = 1e-3 if name == "lenet" else 5e-4
optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9, weight_decay=decay)
image = (1, 28, 28) if name == "lenet" else (3, 32, 32)
batches = [
    (torch.randn(batch, *image), torch.randint(0, 10, (batch,)), torch.rand(batch) / batch) for _ in range(steps)
]


def step(x, y, w):
    losses = F.cross_entropy(net(x), y, reduction="none")
    optimizer.zero_grad()
    (losses * w).sum().backward()
    optimizer.step()
    return losses.detach()


for item in batches[:20]:
    step(*item)
wall, cpu = time.perf_counter(), time.process_time()
for item in batches:
    step(*item)
print(
    json.dumps(
        {
            "wall": (time.perf_counter() - wall) / steps * 1e3,
            "cpu": (time.process_time() - cpu) / steps * 1e3,
            "peak_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
            "parameters": sum(p.numel() for p in net.parameters()),
        }
    )
)
