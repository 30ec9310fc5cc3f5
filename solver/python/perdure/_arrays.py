"""Converts arrays of any library to what the solver needs: host memory, C order, native byte order. Copies only if necessary."""

from __future__ import annotations

from typing import Any

import numpy

_in_host_memory = {1, 3, 11}  # DLPack's numbers for the devices CPU, CUDA host and ROCm host
_devices = {2: "a CUDA GPU", 8: "a Metal GPU", 10: "a ROCm GPU", 13: "CUDA managed memory", 14: "a oneAPI device"}
_copies = ("get", "cpu", "copy_to_host")  # methods of CuPy, PyTorch and Numba


def is_array(value: Any) -> bool:
    """Whether a value of a case is an array: a NumPy array, one with DLPack (CuPy, PyTorch, JAX), or one that NumPy can read (xarray, h5py)."""
    if isinstance(value, numpy.generic):
        return False
    return any(hasattr(value, name) for name in ("__dlpack__", "__array_interface__", "__array__", "__cuda_array_interface__"))


def _refuse_of_device(value: Any, key: str) -> None:
    """Raises a TypeError if the array is not in host memory: copies between devices are for the caller to decide."""
    if hasattr(value, "__dlpack_device__"):
        kind, number = value.__dlpack_device__()
        if kind in _in_host_memory:
            return
        device = f"{_devices.get(kind, f'a device of DLPack type {int(kind)}')} (device {number})"
    elif hasattr(value, "__cuda_array_interface__"):
        device = "a CUDA GPU"
    else:
        return
    copy = next((f"array.{name}()" for name in _copies if hasattr(value, name)), "numpy.asarray(array)")
    raise TypeError(f"{key}: this {type(value).__name__} is in the memory of {device}, but perdure reads arrays in host memory; give a copy: {copy}")


def _in_numpy(value: Any, key: str) -> numpy.ndarray:
    if isinstance(value, numpy.ma.MaskedArray):
        raise TypeError(f"{key}: this is a masked array, but perdure has no missing values; fill them, for example with filled()")
    if isinstance(value, numpy.ndarray):
        return numpy.asarray(value)
    _refuse_of_device(value, key)
    if getattr(value, "requires_grad", False):
        value = value.detach()
    try:
        if hasattr(value, "__dlpack__") and not hasattr(value, "__array_interface__"):
            return numpy.from_dlpack(value)
        return numpy.asarray(value)
    except (AttributeError, BufferError, RuntimeError, TypeError, ValueError) as error:
        raise TypeError(f"{key}: this {type(value).__name__} cannot be converted to a NumPy array: {error}") from error


def as_solver_takes(value: Any, key: str) -> numpy.ndarray:
    """Returns the values of an array under `key` of a case, without a copy if its layout and type allow that.

    >>> import numpy
    >>> image = numpy.zeros((4, 4), dtype="uint8")
    >>> as_solver_takes(image, "problem.a").base is image or as_solver_takes(image, "problem.a") is image
    True
    >>> as_solver_takes(numpy.zeros((4, 4), dtype=">f8"), "problem.a").dtype.isnative
    True
    >>> as_solver_takes(numpy.zeros(2, dtype=complex), "problem.a")
    Traceback (most recent call last):
    TypeError: problem.a: expected an array of real numbers or integers, found complex128
    """
    array = _in_numpy(value, key)
    if array.dtype.kind == "b":
        array = array.view(numpy.uint8)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{key}: expected an array of real numbers or integers, found {array.dtype}")
    number = array.dtype.newbyteorder("=")
    if number.kind == "f" and number.itemsize not in (4, 8):
        number = numpy.dtype("float32" if number.itemsize < 4 else "float64")
    return numpy.ascontiguousarray(array, dtype=number).reshape(array.shape)
