"""Builds and traces scene files inside Blender. Never imported; `tracer.trace` starts it.

blender -b --factory-startup -t 1 -P blender_scene.py -- SCENE.json …

Into the folder `out` of each scene file go `Image`, `Albedo`, `Normal` and `Number` (which object each pixel shows)
as OpenEXR files. Lengths are mm in scene files and metres in Blender.
"""

import json
import sys
from typing import Any

import bpy
from mathutils import Matrix, Vector

MM = 0.001
Told = dict[str, Any]


def build(scene_file: str) -> tuple[Any, Told]:
    """A new scene with everything that the file describes, and the file's content."""
    with open(scene_file, encoding="utf-8") as file:
        told = json.load(file)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    materials: dict[str, Any] = {}
    for entry in told["objects"]:
        add_object(scene, entry, materials)
    for entry in told["lights"]:
        add_light(scene, entry)
    add_camera(scene, told["camera"])
    world = bpy.data.worlds.new("world")
    scene.world = world
    world.use_nodes = True
    background = world.node_tree.nodes["Background"]
    background.inputs["Color"].default_value = (*told["ambient"], 1.0)
    return scene, told


def add_object(scene: Any, entry: Told, materials: dict[str, Any]) -> None:
    """One mesh with its material."""
    mesh = bpy.data.meshes.new("mesh")
    mesh.from_pydata([[c * MM for c in point] for point in entry["points"]], [], entry["faces"])
    layer = mesh.uv_layers.new()
    for loop in mesh.loops:
        layer.data[loop.index].uv = entry["uv"][loop.vertex_index]
    if entry.get("smooth"):
        mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    mesh.update()
    key = json.dumps(entry["material"], sort_keys=True)
    if key not in materials:
        materials[key] = make_material(entry["material"])
    mesh.materials.append(materials[key])
    thing = bpy.data.objects.new("object", mesh)
    thing.pass_index = entry.get("number", 0)
    if entry.get("melt_mm"):
        melt = thing.modifiers.new("melt", "REMESH")
        melt.mode, melt.voxel_size, melt.use_smooth_shade = "VOXEL", entry["melt_mm"] * MM, True
        even = thing.modifiers.new("even", "SMOOTH")
        even.iterations = 5
    scene.collection.objects.link(thing)


def make_material(told: Told) -> Any:
    """A principled material; `image` is its texture, `light` its emission, `grain_mm` the scale of its bumps."""
    material = bpy.data.materials.new("material")
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    surface = nodes["Principled BSDF"]
    for name in ("Roughness", "Specular", "Clearcoat", "Clearcoat Roughness", "Metallic", "Sheen"):
        if name in told:
            surface.inputs[name].default_value = told[name]
    surface.inputs["Base Color"].default_value = (*told.get("color", (0.8, 0.8, 0.8)), 1.0)
    picture = None
    if "image" in told:
        picture = nodes.new("ShaderNodeTexImage")
        picture.image = bpy.data.images.load(told["image"], check_existing=True)
        links.new(picture.outputs["Color"], surface.inputs["Base Color"])
    if told.get("light"):
        surface.inputs["Emission Strength"].default_value = told["light"]
        if picture:
            links.new(picture.outputs["Color"], surface.inputs["Emission"])
        else:
            surface.inputs["Emission"].default_value = (*told.get("color", (1, 1, 1)), 1.0)
    if told.get("grain_mm"):
        noise, bump = nodes.new("ShaderNodeTexNoise"), nodes.new("ShaderNodeBump")
        place = nodes.new("ShaderNodeTexCoord")
        links.new(place.outputs["Object"], noise.inputs["Vector"])
        noise.inputs["Scale"].default_value = 1 / (told["grain_mm"] * MM)
        noise.inputs["Detail"].default_value = 3
        bump.inputs["Strength"].default_value = told.get("grain", 0.2)
        bump.inputs["Distance"].default_value = told["grain_mm"] * MM * 0.3
        links.new(noise.outputs["Fac"], bump.inputs["Height"])
        links.new(bump.outputs["Normal"], surface.inputs["Normal"])
    return material


def add_light(scene: Any, told: Told) -> None:
    """An area light at a point, shining towards another."""
    data = bpy.data.lights.new("light", "AREA")
    data.shape = told["shape"]
    data.size = told["size"][0] * MM
    data.size_y = told["size"][1] * MM
    data.energy = told["watts"]
    data.color = told["color"]
    light = bpy.data.objects.new("light", data)
    light.location = [c * MM for c in told["at"]]
    toward = Vector(told["toward"]) - Vector(told["at"])
    light.rotation_euler = toward.to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(light)


def add_camera(scene: Any, told: Told) -> None:
    """The camera; its axes are right, down and forward in the picture."""
    data = bpy.data.cameras.new("camera")
    data.sensor_fit, data.angle = "HORIZONTAL", told["hfov_rad"]
    data.clip_start = 0.01
    camera = bpy.data.objects.new("camera", data)
    right, down, forward = told["axes"]
    at = [c * MM for c in told["at"]]
    camera.matrix_world = Matrix(
        [[right[k], -down[k], -forward[k], at[k]] for k in range(3)] + [[0, 0, 0, 1]]
    )
    scene.collection.objects.link(camera)
    scene.camera = camera


def trace_in_blender(scene: Any, told: Told) -> None:
    """Render the scene and write its passes."""
    render = scene.render
    render.engine = "CYCLES"
    render.threads_mode, render.threads = "FIXED", 1
    render.resolution_x, render.resolution_y = told["size"]
    render.resolution_percentage = 100
    render.use_persistent_data = False
    cycles = scene.cycles
    cycles.samples, cycles.seed = told["samples"], told["seed"]
    cycles.use_adaptive_sampling = cycles.use_denoising = False
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 3, 2, 2
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 4.0
    layer = scene.view_layers[0]
    layer.use_pass_object_index = True
    layer.cycles.denoising_store_passes = True
    scene.view_settings.view_transform = "Raw"
    scene.use_nodes = True
    nodes, links = scene.node_tree.nodes, scene.node_tree.links
    nodes.clear()
    layers, out = nodes.new("CompositorNodeRLayers"), nodes.new("CompositorNodeOutputFile")
    out.base_path = told["out"]
    out.format.file_format, out.format.color_depth, out.format.color_mode = "OPEN_EXR", "32", "RGB"
    out.format.exr_codec = "NONE"
    wanted = {
        "Image": "Image",
        "Albedo": "Denoising Albedo",
        "Normal": "Denoising Normal",
        "Number": "IndexOB",
    }
    out.file_slots.clear()
    for name, source in wanted.items():
        out.file_slots.new(name)
        links.new(layers.outputs[source], out.inputs[name])
    bpy.ops.render.render()


for path in sys.argv[sys.argv.index("--") + 1 :]:
    trace_in_blender(*build(path))
