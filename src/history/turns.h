/* turns.h: the threads of a process that write to one history, one after the other.
 *
 * SQLite lets whoever finds a writer before him try again after a while. Of hundreds of threads
 * nearly all are then busy trying, and who has no luck may try until it is too late. So of the
 * threads of this process one has the turn, and deals with the writers of other processes; the
 * others look now and then whether it is free, which costs little, and the first of them gets it
 * when it has been overtaken for long enough.
 *
 * A turn belongs to a connection, not to a thread. One that waits is refused when so much time has
 * passed in which no turn ended well: however many there are before it, it gets there as long as
 * they do.
 */
#ifndef EM_HISTORY_TURNS_H
#define EM_HISTORY_TURNS_H

#include <stdbool.h>

typedef struct em_turns em_turns;

/* The queue for the history in this folder, which all who join with the same spelling share; the
 * caller leaves it. NULL: no memory. */
em_turns *em_turns_join(const char *folder);
void em_turns_leave(em_turns *turns);

/* Wait for the turn, which is to be given back. False: it was in vain for `patience_ms`. */
bool em_turns_take(em_turns *turns, long patience_ms);
void em_turns_give(em_turns *turns, bool ended_well);

#endif
