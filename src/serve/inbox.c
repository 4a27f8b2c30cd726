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
    json_decref(inbox->cancels);
    em_strbuf_drop(&inbox->partial);
    *inbox = (em_inbox){0};
}

/* ---- Taking back --------------------------------------------------------------------------- */

/* A client may send any number of requests, and take back each. So neither is looked for among the
 * others: what takes a request back is kept, by the id that it names, until its own turn comes, and
 * a request learns of it when it has its turn. Messages are counted as they come: one that came
 * later is not taken back. */

/* A handshake cannot be taken back: what comes after it would have no ground to stand on. */
static bool can_be_taken_back(const em_rpc_message *message)
{
    return message->kind == EM_RPC_REQUEST && !em_json_is(message->method, "initialize");
}

static void cancel_in_hand(em_rpc_line *line, const json_t *id)
{
    for (size_t i = 0; i < line->count; i++) {
        em_rpc_message *message = &line->messages[i];
        if (can_be_taken_back(message) && json_equal(message->id, id))
            message->cancelled = true;
    }
}

/* The message `number` takes back the requests of that id before it. */
static void cancel(em_inbox *inbox, const json_t *id, uint64_t number)
{
    EM_AUTO(em_strbuf) key = {0}; /* no two ids have one text */
    em_json json = {0};
    if (inbox->in_hand)
        cancel_in_hand(inbox->in_hand, id);
    if (!inbox->cancels)
        inbox->cancels = em_json_object(&json);
    em_json_write(id, 0, &key);
    if (key.failed || json_object_setn_new_nocheck(inbox->cancels, key.ptr, key.len,
                                                   json_integer((json_int_t)number)) != 0)
        inbox->failed = true;
}

/* The number of the newest message that takes back requests of that id and waits; -1: there is
 * none. Where memory runs out, too: the request is done then. */
static json_int_t newest_cancel(const em_inbox *inbox, const em_strbuf *key)
{
    const json_t *number =
        key->failed ? NULL : json_object_getn(inbox->cancels, key->ptr, key->len);
    return number ? json_integer_value(number) : -1;
}

/* The turn of the message `number` has come. */
static void settle(em_inbox *inbox, em_rpc_message *message, json_int_t number)
{
    const json_t *cancelled = em_mcp_cancels(message);
    const json_t *id = cancelled ? cancelled : message->id;
    EM_AUTO(em_strbuf) key = {0};
    if (!id)
        return;
    em_json_write(id, 0, &key);
    json_int_t newest = newest_cancel(inbox, &key);
    if (cancelled && newest == number)
        json_object_deln(inbox->cancels, key.ptr, key.len);
    else if (newest > number && can_be_taken_back(message))
        message->cancelled = true;
}

static void settle_line(em_inbox *inbox, em_rpc_line *line)
{
    for (size_t i = 0; i < line->count && json_object_size(inbox->cancels) > 0; i++)
        settle(inbox, &line->messages[i], (json_int_t)(line->number + i));
}

/* What the line takes back, and what it answers. */
static void obey_at_once(em_inbox *inbox, const em_rpc_line *line)
{
    if (line->is_batch && !inbox->with_batches)
        return;
    for (size_t i = 0; i < line->count; i++) {
        const em_rpc_message *message = &line->messages[i];
        const json_t *id = em_mcp_cancels(message);
        if (id)
            cancel(inbox, id, line->number + i);
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
    line->number = inbox->count;
    inbox->count += line->count;
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
    settle_line(inbox, line);
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
