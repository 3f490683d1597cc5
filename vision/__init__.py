"""The eyes: camera, finder, identifier, table geometry, sightings and plays."""
