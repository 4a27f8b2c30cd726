/* http_server.h: the one command of emend-serve. */
#ifndef EM_CLI_HTTP_SERVER_H
#define EM_CLI_HTTP_SERVER_H

#include "cli/command.h"

extern const em_command em_cmd_serve_http;

#endif
