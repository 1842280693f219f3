import { RULES } from '../access.ts'
import type { Endpoint } from '../kit/endpoint.ts'
import { Id, Nullable, Secret, StringEnum, Type } from '../kit/schema.ts'
import { UserBrief } from './user.ts'

/** One version's notes. `body` is Markdown. */
export const UpdateNote = Type.Object({ title: Type.String(), body: Type.String() })

/** Signing up, what is new, what the company pays, and why somebody may see a ticket (spec 1 §2, §4). */
export const accountEndpoints = {
  'POST /auth/signup': {
    summary: 'Sign up, when the setting userCreation allows it; the new person waits for an administrator',
    audience: 'public',
    errors: ['ERR_USER_CREATION_DISABLED', 'ERR_DUPLICATED_EMAIL', 'ERR_SYSTEM_BLOCKED', 'ERR_TOO_MANY_ATTEMPTS'],
    body: Type.Object({ name: Type.String({ maxLength: 1000 }), email: Secret, password: Secret }),
    answer: Type.Object({ id: Id, name: Type.String(), active: Type.Boolean() }),
    status: 201,
  },
  'GET /notes': {
    summary: 'What is new, newest first',
    answer: Type.Object({ notes: Type.Array(UpdateNote), count: Type.Integer() }),
  },
  'GET /invoices': {
    summary:
      'Where the company’s invoices are and how to get at them; ERR_NOT_FOUND without INVOICES_URL and COMPANY_TAX_ID',
    audience: 'admin',
    errors: ['ERR_NOT_FOUND'],
    answer: Type.Object({
      url: Type.String(),
      /** 14 digits as 00.000.000/0000-00. */
      taxId: Type.String(),
      /** Null without INVOICES_SECRET. */
      password: Nullable(Type.String()),
    }),
  },
  'GET /tickets/:id/access': {
    summary: 'Why somebody may or may not see a ticket: the rule of the policy that decides',
    audience: 'admin',
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_NO_USER_FOUND'],
    query: Type.Object({ userId: Id }),
    answer: Type.Object({
      allowed: Type.Boolean(),
      /** `inactive`: the person may not come in at all. */
      rule: StringEnum([...RULES, 'inactive']),
      user: UserBrief,
      queue: Nullable(Type.String()),
      assignedTo: Nullable(Type.String()),
    }),
  },
} as const satisfies Record<string, Endpoint>
