import { JobReference } from '../jobs/job.ts'
import type { Endpoint } from '../kit/endpoint.ts'
import { LANGUAGES } from '../kit/language.ts'
import { StringEnum, Type } from '../kit/schema.ts'
import { ERASE_WORD } from './erased-name.ts'
import { Erasure, HeldData, PersonMatch } from './privacy.ts'

/** The privacy desk (decisions-2 §19, §23): find a person, say what is held, hand it over, erase it. */
export const privacyEndpoints = {
  'GET /privacy': {
    summary: 'Find one person by any name, number, e-mail or protocol; and what was asked to be erased',
    description:
      'At most 20 people; nobody without a search. `requests`: what waits or runs, and the newest of before.',
    audience: 'admin',
    query: Type.Object({ searchParam: Type.Optional(Type.String({ maxLength: 200 })) }),
    answer: Type.Object({ people: Type.Array(PersonMatch), requests: Type.Array(Erasure) }),
  },
  'GET /privacy/:contactId': {
    summary: 'What is held of a person, place by place',
    audience: 'admin',
    errors: ['ERR_NO_CONTACT_FOUND'],
    answer: HeldData,
  },
  'POST /privacy/:contactId/export': {
    summary: 'All that is held of a person, as one archive: data as JSON, the files, and a PDF to read',
    audience: 'admin',
    description: 'The PDF and the names in the archive are in `language`, Portuguese unless it is said.',
    errors: ['ERR_NO_CONTACT_FOUND'],
    body: Type.Optional(Type.Object({ language: Type.Optional(StringEnum(LANGUAGES)) })),
    answer: JobReference,
    status: 202,
  },
  'DELETE /privacy/:contactId': {
    summary: 'Have a person erased, after the grace of privacyGraceDays',
    description: `Asks for the word: { "confirm": "${ERASE_WORD}" }. Protocols hold it back (ERR_PROTOCOL_LINKED) unless a reason is given. Asked again while it waits it answers what was asked first.`,
    audience: 'admin',
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_PROTOCOL_LINKED'],
    body: Type.Optional(
      Type.Object({
        confirm: Type.Optional(Type.String({ maxLength: 20 })),
        reason: Type.Optional(Type.String({ maxLength: 2000 })),
      }),
    ),
    answer: Erasure,
    status: 202,
  },
  'POST /privacy/:contactId/undo': {
    summary: 'Take an erasure back that has not begun',
    audience: 'admin',
    errors: ['ERR_NO_ERASURE_FOUND'],
    status: 204,
  },
} as const satisfies Record<string, Endpoint>
