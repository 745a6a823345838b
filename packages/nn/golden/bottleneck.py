"""Writes bottleneck.json: two of ResNet50's blocks in torch (float64), forward in training mode and backward.

Run: python3 bottleneck.py > bottleneck.json
Entry i of tensor t (in the order of `names`) is a sine, so that the file need not hold the parameters.
"""

import json
import torch
import torch.nn as nn

torch.set_default_dtype(torch.float64)


class Bottleneck(nn.Module):
    def __init__(self, inputs, channels, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, channels, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, stride=stride, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(channels)
        self.conv3 = nn.Conv2d(channels, 4 * channels, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(4 * channels)
        self.downsample = None
        if stride != 1 or inputs != 4 * channels:
            self.downsample = nn.Sequential(
                nn.Conv2d(inputs, 4 * channels, 1, stride=stride, bias=False), nn.BatchNorm2d(4 * channels)
            )

    def forward(self, x):
        h = torch.relu(self.bn1(self.conv1(x)))
        h = torch.relu(self.bn2(self.conv2(h)))
        h = self.bn3(self.conv3(h))
        return torch.relu(h + (x if self.downsample is None else self.downsample(x)))


def wave(t, shape, scale, centre):
    i = torch.arange(int(torch.tensor(shape).prod()))
    return (centre + scale * torch.sin(1.7 * i + 0.9 * t + 0.5)).reshape(shape)


net = nn.Sequential()
net.add_module("a", Bottleneck(3, 4, 2))
net.add_module("b", Bottleneck(16, 4, 1))
names = [name for name, _ in net.named_parameters()]
with torch.no_grad():
    for t, (name, p) in enumerate(net.named_parameters()):
        norm = p.dim() == 1
        p.copy_(wave(t, p.shape, 0.2 if norm else 0.5, 1.0 if norm and name.endswith("weight") else 0.0))
x = wave(100, [3, 3, 7, 6], 1.0, 0.0).requires_grad_()
out = net(x)
(out * wave(101, out.shape, 1.0, 0.0)).sum().backward()
digits = lambda tensor: [float("%.12g" % v) for v in tensor.detach().flatten()]
print(
    json.dumps(
        {
            "tool": f"torch {torch.__version__}",
            "names": names,
            "shapes": [list(p.shape) for p in net.parameters()],
            "out_shape": list(out.shape),
            "out": digits(out),
            "grad_x": digits(x.grad),
            "grads": {name: digits(p.grad) for name, p in net.named_parameters()},
        },
        separators=(",", ":"),
    )
)
