"""A training step of LeNet or ResNet18 in PyTorch: SGD with momentum, per-sample weights and losses."""
import json
import resource
import sys
import time

import torch
import torch.nn.functional as F

from networks import LeNet, ResNet18

name, batch, steps = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
torch.set_num_threads(int(sys.argv[4]))
torch.manual_seed(1)

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
