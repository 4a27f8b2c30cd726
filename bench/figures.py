"""The parts of the benchmark, by name, in the order in which they run."""
from part_service import answers, batch, calls, linked, memory, start
from part_size import large, sizes
from part_work import durable, edits, table

PARTS = {part.__name__: part for part in
         (table, durable, edits, sizes, large, start, calls, memory, batch, answers, linked)}
