// What a new company does first, in its order, and what a shop of its trade may begin with.
import { SheetLanguage } from '../jobs/job.ts'
import type { Endpoint } from '../kit/endpoint.ts'
import { Nullable, type Static, StringEnum, Type } from '../kit/schema.ts'

/** A step is done when what it names is there. */
export const FIRST_STEPS = ['connection', 'queues', 'people', 'greeting', 'hours', 'message'] as const
export type FirstStep = (typeof FIRST_STEPS)[number]

export const TRADES = ['shop', 'clinic', 'school', 'repair'] as const
export type Trade = (typeof TRADES)[number]

/** What a preset fills. */
export type PresetKind = 'queue' | 'quickAnswer' | 'question' | 'tag'

export const FirstSteps = Type.Object({
  done: Type.Array(StringEnum(FIRST_STEPS)),
  isOver: Type.Boolean({ description: 'All steps were done once, or an administrator put them away' }),
  trade: Nullable(StringEnum(TRADES)),
  preset: Type.Integer({
    description: 'Rows of the preset that nobody has changed or uses: so many can be thrown away',
  }),
})
export type FirstSteps = Static<typeof FirstSteps>

export const firstStepEndpoints = {
  'GET /first-steps': {
    summary: 'What a new company has done of its first steps',
    audience: 'admin',
    answer: FirstSteps,
  },
  'PUT /first-steps': {
    summary: 'Put the first steps away, take them up again, or say that the hours are right as they are',
    audience: 'admin',
    body: Type.Object({
      isOver: Type.Optional(Type.Boolean()),
      hoursChecked: Type.Optional(
        Type.Boolean({ description: 'Whether somebody has looked at the hours; hours that were changed need it not' }),
      ),
    }),
    answer: FirstSteps,
  },
  'POST /first-steps/preset': {
    summary: 'Fill queues, quick answers, questions and tags as a company of this trade may begin with',
    description:
      'What has the name or shortcut already is left as it is. One preset at a time: ERR_INVALID_TRANSITION where there is one.',
    audience: 'admin',
    errors: ['ERR_INVALID_TRANSITION'],
    body: Type.Object({ trade: StringEnum(TRADES), language: SheetLanguage }),
    answer: FirstSteps,
    status: 201,
  },
  'DELETE /first-steps/preset': {
    summary: 'Throw away what the preset filled; what somebody changed or uses stays',
    audience: 'admin',
    answer: FirstSteps,
  },
} as const satisfies Record<string, Endpoint>
