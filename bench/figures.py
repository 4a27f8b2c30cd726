"""The parts of the benchmark, by name, in the order in which they run.

What makes small files comes first: ext4 without a journal passes over each inode that was freed lately
when it gives out a new one, and the other parts remove what they have written.
"""
from part_service import answers, batch, calls, linked, memory, start
from part_size import large, sizes
from part_work import durable, edits, renames, table

PARTS = {part.__name__: part for part in
         (calls, start, table, durable, edits, renames, sizes, large, memory, batch, answers, linked)}
