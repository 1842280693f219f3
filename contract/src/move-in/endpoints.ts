import type { Endpoint } from '../kit/endpoint.ts'
import { LIMITS } from '../kit/limits.ts'
import { StringEnum, Type } from '../kit/schema.ts'
import { MOVE_IN_PART, MOVE_IN_SOURCES, MoveIn } from './move-in.ts'

/** Moving in from another desk with its dump (docs/decisions/0325); from an address of a database by the terminal alone. */
export const moveInEndpoints = {
  'GET /move-in': {
    summary: 'The moves from other desks, newest first; `most`: the bytes of the largest dump that is taken',
    audience: 'admin',
    answer: Type.Object({ moves: Type.Array(MoveIn), most: Type.Integer() }),
  },
  'POST /move-in': {
    summary: 'Announce a dump; its parts follow',
    description: 'One move at a time: another one is finished, undone or thrown away first.',
    audience: 'admin',
    errors: ['ERR_MOVE_IN_BUSY', 'ERR_FILE_TOO_LARGE', 'ERR_NO_SPACE'],
    body: Type.Object({
      source: StringEnum(MOVE_IN_SOURCES),
      name: Type.String({ minLength: 1, maxLength: 255 }),
      size: Type.Integer({ minimum: 1 }),
      openTag: Type.String({
        ...{ minLength: LIMITS.tagName[0], maxLength: LIMITS.tagName[1] },
        description: 'how the tag of those is called that were still being served there',
      }),
    }),
    answer: MoveIn,
    status: 201,
  },
  'PUT /move-in/:id/dump': {
    summary: 'The part of the dump that begins at a byte, as the raw body; goes on behind what has come',
    description: `At most ${MOVE_IN_PART} bytes. A part that begins elsewhere than what has come ends changes nothing; the answer says where that is.`,
    audience: 'admin',
    errors: ['ERR_NOT_FOUND', 'ERR_MOVE_IN_STATE', 'ERR_FILE_TOO_LARGE', 'ERR_NO_SPACE'],
    bodyKind: 'raw',
    query: Type.Object({ at: Type.Integer({ minimum: 0 }) }),
    answer: Type.Object({ received: Type.Integer() }),
  },
  'POST /move-in/:id/read': {
    summary: 'Read the whole dump, and look at what would come; nothing is written',
    description: 'Also once more, with the company that is meant where there are several.',
    audience: 'admin',
    errors: ['ERR_NOT_FOUND', 'ERR_MOVE_IN_STATE', 'ERR_MOVE_IN_BUSY'],
    body: Type.Object({ company: Type.Optional(Type.String({ pattern: '^\\d{1,12}$' })) }),
    answer: MoveIn,
    status: 202,
  },
  'POST /move-in/:id/write': {
    summary: 'Bring what was read, or go on after a stop',
    audience: 'admin',
    errors: ['ERR_NOT_FOUND', 'ERR_MOVE_IN_STATE', 'ERR_MOVE_IN_BUSY'],
    answer: MoveIn,
    status: 202,
  },
  'POST /move-in/:id/stop': {
    summary: 'Stop where it is: what has come stays, and it goes on when somebody says so',
    audience: 'admin',
    errors: ['ERR_NOT_FOUND'],
    answer: MoveIn,
  },
  'POST /move-in/:id/files': {
    summary: 'Fetch the files of the messages that came from the public folder of the other desk',
    description: 'Also once more, for those that were not there. Of Chatwoot they come by the terminal, from a folder.',
    audience: 'admin',
    errors: ['ERR_NOT_FOUND', 'ERR_MOVE_IN_STATE', 'ERR_MOVE_IN_BUSY'],
    // Without a person or a password in it: nobody is asked with one, and it is stored.
    body: Type.Object({ address: Type.String({ pattern: '^https://[^/?#@]+(?:[/?#]|$)', maxLength: 2000 }) }),
    answer: MoveIn,
    status: 202,
  },
  'POST /move-in/:id/undo': {
    summary: 'Take back all that came, or throw away what was only read',
    description: 'Only while nobody has worked on a ticket that came.',
    audience: 'admin',
    errors: ['ERR_NOT_FOUND', 'ERR_MOVE_IN_STATE', 'ERR_MOVE_IN_IN_USE', 'ERR_MOVE_IN_BUSY'],
    answer: MoveIn,
    status: 202,
  },
} as const satisfies Record<string, Endpoint>
