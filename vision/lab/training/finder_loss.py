"""The finder's loss: scores are to fall with the share of a card in view.

A card under a hand or under other cards gets a low score: the boxes' reader can then leave it alone. The fraction of a
label says what the score lacks: 0.3 is a face that is to score 0.7 of what a whole one would.
"""

from typing import Any

import numpy as np

from vision.lab.extras import train_extra

with train_extra("training"):
    import torch
    from ultralytics.utils.loss import E2ELoss, v8OBBLoss
    from ultralytics.utils.tal import RotatedTaskAlignedAssigner

SEEN = (0.15, 0.5)
"""Shares in view at which a card is to score nothing, and from which it is to score like a card wholly in view."""


def shortfall(visible: float) -> float:
    """By how much (0..0.99) the score of a card with the share `visible` in view falls short of a whole card's."""
    hidden, plain = SEEN
    return float(np.clip((plain - visible) / (plain - hidden), 0.0, 0.99))


class ScoredByView(RotatedTaskAlignedAssigner):  # type: ignore[misc]
    """Gives each place of the network's grid its card, and the score to be learnt there."""

    def get_targets(
        self,
        gt_labels: torch.Tensor,
        gt_bboxes: torch.Tensor,
        target_gt_idx: torch.Tensor,
        fg_mask: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Labels, boxes and scores of the places; a label's fraction (`shortfall`) is taken off its scores."""
        labels, boxes, scores = super().get_targets(gt_labels, gt_bboxes, target_gt_idx, fg_mask)
        share = (1 - gt_labels.frac()).squeeze(-1).gather(1, target_gt_idx)
        return labels, boxes, scores * share.unsqueeze(-1)


class FinderLoss(v8OBBLoss):  # type: ignore[misc]
    """The oriented-box loss with `ScoredByView`."""

    def __init__(self, model: torch.nn.Module, tal_topk: int = 10, tal_topk2: int | None = None):
        """As the parent's."""
        super().__init__(model, tal_topk, tal_topk2)
        self.assigner = ScoredByView(
            topk=tal_topk, num_classes=self.nc, alpha=0.5, beta=6.0, stride=self.stride.tolist(), topk2=tal_topk2
        )  # fmt: skip


def prepare_finder(trainer: Any) -> None:
    """Give the network of ultralytics' `trainer` this loss, and bfloat16 products if its device has them.

    With bfloat16 a step takes half the time. Weights, loss and gradients' sums stay float32.
    """
    model = trainer.model
    model.criterion = E2ELoss(model, FinderLoss)
    model.criterion.updates = trainer.start_epoch
    plain = model.forward
    device = trainer.device.type

    def forward(given: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(given, dict):  # a batch: the loss calls this again with its pictures
            return plain(given, *args, **kwargs)
        with torch.autocast(device, torch.bfloat16):
            predicted = plain(given.contiguous(memory_format=torch.channels_last), *args, **kwargs)
        return _as_float(predicted)

    if torch.cuda.is_bf16_supported() if device == "cuda" else torch.cpu._is_avx512_bf16_supported():
        model.forward = forward


def _as_float(predicted: Any) -> Any:
    """`predicted`, tensors in dicts and sequences, as float32."""
    if isinstance(predicted, torch.Tensor):
        return predicted.float()
    if isinstance(predicted, dict):
        return {key: _as_float(value) for key, value in predicted.items()}
    return [_as_float(value) for value in predicted]
