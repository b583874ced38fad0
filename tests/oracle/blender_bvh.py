# SPDX-License-Identifier: Apache-2.0
"""Writes Blender's joint positions for a BVH file:

    SUPPLE_OUT=x.json blender -b --factory-startup --python blender_bvh.py -- FILE.bvh FRAME...

Frames count from 0. SUPPLE_OUT gets a JSON list with one entry per frame, each an object of
[x, y, z] by the joint's name, in the axes of the file.
"""
import builtins
import json
import os
import sys

import bpy

plain_open = builtins.open


def open_as_before(file, mode="r", *others, **named):
    """Blender 3.4's importer uses the mode 'rU', which Python 3.11 no longer supports."""
    return plain_open(file, mode.replace("U", ""), *others, **named)


builtins.open = open_as_before


def main():
    arguments = sys.argv[sys.argv.index("--") + 1:]
    path, frames = arguments[0], [int(x) for x in arguments[1:]]
    bpy.ops.import_anim.bvh(filepath=path, axis_forward="-Z", axis_up="Y", frame_start=1)
    body = bpy.context.object
    result = []
    for frame in frames:
        bpy.context.scene.frame_set(frame + 1)
        places = {}
        for bone in body.pose.bones:
            p = body.matrix_world @ bone.head
            places[bone.name] = [p.x, p.z, -p.y]
        result.append(places)
    with open(os.environ["SUPPLE_OUT"], "w") as file:
        json.dump(result, file)


main()
