# SPDX-License-Identifier: Apache-2.0
"""Writes Blender's vertex positions for a glTF file:

    SUPPLE_OUT=x.json blender -b --factory-startup --python blender_vertices.py -- \
        FILE.glb CLIP SECONDS...

CLIP counts from 0. SUPPLE_OUT gets a JSON list with one entry per moment, each with
[name, [[x, y, z], ...]] per mesh object, in glTF's axes, as evaluated with shape keys and bones.
"""
import json
import os
import sys

import numpy

numpy.bool = bool  # Blender 3.4's importer asks numpy for a name that it dropped

import bpy


def names_of_clips(path):
    with open(path, "rb") as file:
        data = file.read()
    length = int.from_bytes(data[12:16], "little")
    return json.loads(data[20:20 + length]).get("animations", [])


def show_clip(clip, names):
    """The importer stashes one NLA track per clip on every object and shape key that it animates.

    The strips begin at frame 1, whatever the clip's first key; the actions have the right times.
    """
    wanted = names[clip].get("name")
    for owner in list(bpy.data.objects) + list(bpy.data.shape_keys):
        animation = owner.animation_data
        if animation is None:
            continue
        animation.action = None
        for number, track in enumerate(animation.nla_tracks):
            track.mute = True
            if track.name == wanted or (wanted is None and number == clip):
                animation.action = track.strips[0].action


def main():
    arguments = sys.argv[sys.argv.index("--") + 1:]
    path, clip, moments = arguments[0], int(arguments[1]), [float(x) for x in arguments[2:]]
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    # A rate at which all times are close to whole frames; subframes cover the rest.
    bpy.context.scene.render.fps = 60
    bpy.ops.import_scene.gltf(filepath=path, merge_vertices=False)
    show_clip(clip, names_of_clips(path))
    result = []
    for moment in moments:
        frame = moment * bpy.context.scene.render.fps
        bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
        graph = bpy.context.evaluated_depsgraph_get()
        meshes = []
        for item in bpy.data.objects:
            if item.type != "MESH" or not item.users_scene:
                continue
            seen = item.evaluated_get(graph)
            mesh = seen.to_mesh()
            place = seen.matrix_world
            points = [place @ vertex.co for vertex in mesh.vertices]
            meshes.append([item.name, [[p.x, p.z, -p.y] for p in points]])
            seen.to_mesh_clear()
        result.append(meshes)
    with open(os.environ["SUPPLE_OUT"], "w") as file:
        json.dump(result, file)


main()
