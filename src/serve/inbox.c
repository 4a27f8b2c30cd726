#include "serve/inbox.h"

#include "serve/mcp.h"
#include "json/json_text.h"

static void line_drop(em_rpc_line **line)
{
    em_rpc_line_free(*line);
    *line = NULL;
}

void em_inbox_drop(em_inbox *inbox)
{
    while (inbox->first) {
        em_rpc_line *next = inbox->first->next;
        em_rpc_line_free(inbox->first);
        inbox->first = next;
    }
    line_drop(&inbox->in_hand);
    em_strbuf_drop(&inbox->partial);
    *inbox = (em_inbox){0};
}

/* ---- Taking back --------------------------------------------------------------------------- */

/* Among its first `count` messages. A handshake cannot be taken back: what comes after it would
 * have no ground to stand on. */
static void cancel_in_line(em_rpc_line *line, size_t count, const json_t *id)
{
    for (size_t i = 0; i < count; i++) {
        em_rpc_message *message = &line->messages[i];
        if (message->kind == EM_RPC_REQUEST && json_equal(message->id, id) &&
            !em_json_is(message->method, "initialize"))
            message->cancelled = true;
    }
}

/* What came before the message `behind` of the last line. */
static void cancel(em_inbox *inbox, const json_t *id, size_t behind)
{
    if (inbox->in_hand)
        cancel_in_line(inbox->in_hand, inbox->in_hand->count, id);
    for (em_rpc_line *line = inbox->first; line; line = line->next)
        cancel_in_line(line, line == inbox->last ? behind : line->count, id);
}

/* What the last line takes back, and what it answers. */
static void obey_at_once(em_inbox *inbox, const em_rpc_line *line)
{
    if (line->is_batch && !inbox->with_batches)
        return;
    for (size_t i = 0; i < line->count; i++) {
        const em_rpc_message *message = &line->messages[i];
        const json_t *id = em_mcp_cancels(message);
        if (id)
            cancel(inbox, id, i);
        if (message->kind == EM_RPC_RESPONSE && inbox->answered)
            inbox->answered(inbox->context, message);
    }
}

/* ---- Lines --------------------------------------------------------------------------------- */

/* Let the line wait; NULL where memory ran out. */
static void put_line(em_inbox *inbox, em_rpc_line *line)
{
    if (!line) {
        inbox->failed = true;
        return;
    }
    if (inbox->last)
        inbox->last->next = line;
    else
        inbox->first = line;
    inbox->last = line;
    inbox->waiting += line->length;
    obey_at_once(inbox, line);
}

static void add_line(em_inbox *inbox, em_slice text)
{
    if (inbox->most > 0 && text.len > inbox->most)
        put_line(inbox, em_rpc_too_long(inbox->most));
    else if (!em_json_is_blank(text))
        put_line(inbox, em_rpc_read(text));
}

/* More of a line whose end has not come. */
static void add_partial(em_inbox *inbox, em_slice bytes)
{
    if (inbox->skipping || inbox->lost)
        return;
    inbox->skipping = inbox->most > 0 && bytes.len > inbox->most - inbox->partial.len;
    if (!inbox->skipping)
        em_strbuf_add(&inbox->partial, bytes);
    inbox->lost = inbox->partial.failed;
    if (inbox->skipping || inbox->lost)
        em_strbuf_drop(&inbox->partial);
}

/* A line that began in an earlier piece. */
static void end_partial(em_inbox *inbox)
{
    if (inbox->skipping)
        put_line(inbox, em_rpc_too_long(inbox->most));
    else if (inbox->lost)
        put_line(inbox, em_rpc_too_much());
    else
        add_line(inbox, em_strbuf_slice(&inbox->partial));
    inbox->skipping = inbox->lost = false;
    em_strbuf_drop(&inbox->partial);
}

void em_inbox_add(em_inbox *inbox, em_slice bytes)
{
    for (size_t length; (length = em_slice_until(bytes, '\n')) < bytes.len;) {
        if (inbox->partial.len > 0 || inbox->skipping || inbox->lost) {
            add_partial(inbox, em_slice_sub(bytes, 0, length));
            end_partial(inbox);
        } else {
            add_line(inbox, em_slice_sub(bytes, 0, length));
        }
        bytes = em_slice_from(bytes, length + 1);
    }
    add_partial(inbox, bytes);
}

void em_inbox_end(em_inbox *inbox)
{
    end_partial(inbox);
}

/* `before`: the line that waits before it; NULL for the first. */
static void take_out(em_inbox *inbox, em_rpc_line *before, em_rpc_line *line)
{
    if (before)
        before->next = line->next;
    else
        inbox->first = line->next;
    if (inbox->last == line)
        inbox->last = before;
    line->next = NULL;
    inbox->waiting -= line->length;
}

const em_rpc_line *em_inbox_take(em_inbox *inbox)
{
    line_drop(&inbox->in_hand);
    em_rpc_line *line = inbox->first;
    if (line)
        take_out(inbox, NULL, line);
    return inbox->in_hand = line;
}

em_rpc_line *em_inbox_pull(em_inbox *inbox, const char *method)
{
    em_rpc_line *before = NULL;
    for (em_rpc_line *line = inbox->first; line; line = line->next) {
        const em_rpc_message *only = &line->messages[0];
        if (!line->is_batch && only->kind == EM_RPC_REQUEST && em_json_is(only->method, method)) {
            take_out(inbox, before, line);
            return line;
        }
        before = line;
    }
    return NULL;
}
