import type { Endpoint } from '../kit/endpoint.ts'
import { ClientId, Id, IgnoredLog, Type } from '../kit/schema.ts'
import { MOST_TAGGED, TagRow, TagWithContacts } from './tag.ts'

const Text = Type.String({ maxLength: 20_000 })
const fields = {
  contacts: Type.Optional(
    Type.Union([Type.Array(Id, { maxItems: MOST_TAGGED }), Type.String({ maxLength: 20_000 })], {
      description: 'everybody who shall have it: ids, as a list or joined with commas',
    }),
  ),
  log: IgnoredLog,
}

/** Tags (spec 3 §2, §5, §7). */
export const tagEndpoints = {
  'GET /tag': { scope: 'contacts', summary: 'Tags, by name', answer: Type.Array(TagRow) },
  'GET /tag/:id': {
    summary: 'One tag with its contacts',
    errors: ['ERR_NO_TAG_FOUND'],
    answer: TagWithContacts,
  },
  'POST /tag': {
    scope: 'contacts',
    summary: 'Add a tag; with contacts it is given to them',
    body: Type.Object({ name: Text, color: Type.Optional(Text), clientId: ClientId, ...fields }),
    answer: TagRow,
    status: 201,
  },
  'PUT /tag/:id': {
    scope: 'contacts',
    summary:
      'Change a tag; what is left out stays. contacts are all that have it then; give and take change no others, and do not count beside contacts',
    errors: ['ERR_NO_TAG_FOUND', 'ERR_CHANGED_MEANWHILE'],
    body: Type.Object({
      name: Type.Optional(Text),
      color: Type.Optional(Text),
      ...fields,
      give: Type.Optional(
        Type.Array(Id, { maxItems: MOST_TAGGED, description: 'who gets it; whoever else has it keeps it' }),
      ),
      take: Type.Optional(Type.Array(Id, { maxItems: MOST_TAGGED, description: 'who loses it' })),
      version: Type.Optional(Type.Integer({ minimum: 1, description: 'what the change began from' })),
    }),
    answer: TagRow,
  },
  'DELETE /tag/:id': {
    summary: 'Delete a tag: contacts and scheduled sends lose it',
    errors: ['ERR_NO_TAG_FOUND'],
    status: 204,
  },
} as const satisfies Record<string, Endpoint>
