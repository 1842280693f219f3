// The company of the demo and of the browser tests, as `company.json` tells of it, in Portuguese.
import { ConnectionKind, MediaType, MessageState, Profile, TicketStatus } from '@balcao/contract'
import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { createValidator } from '../../platform/http/validate.ts'
import company from './company.json' with { type: 'json' }

const text = Type.String()
const whole = Type.Integer()
const maybe = <S extends TSchema>(schema: S) => Type.Optional(schema)

/** `ago`: minutes before now. `from`: somebody of the team by key, the customer, or the desk by itself. */
const Line = Type.Object({
  ago: whole,
  from: text,
  /** In a group: the number of the member who wrote it, whose own conversation stands above. */
  member: maybe(text),
  body: text,
  type: maybe(MediaType),
  state: maybe(MessageState),
  error: maybe(Type.Object({ code: whole, message: text })),
  /** A file that is made for it: a picture on a table of this colour, otherwise a document. */
  file: maybe(Type.Object({ name: text, color: maybe(Type.Tuple([whole, whole, whole])) })),
  /** The number of the line in this chat that it quotes. */
  answers: maybe(whole),
})
const lines = Type.Array(Line)

const Ticket = Type.Object({
  name: text,
  number: maybe(text),
  group: maybe(text),
  email: maybe(text),
  extraInfo: maybe(Type.Array(Type.Object({ name: text, value: text }))),
  tags: maybe(Type.Array(text)),
  status: TicketStatus,
  connection: text,
  queue: maybe(text),
  user: maybe(text),
  unread: maybe(whole),
  pauseTag: maybe(text),
  /** What its protocol was about; a closed ticket with one cannot be deleted. */
  protocol: maybe(text),
  lines,
})

/** `group`: its name; a direct chat of two has none. `unread`: who has not read the last lines, and how many. */
const Chat = Type.Object({
  group: maybe(text),
  members: Type.Array(text),
  unread: maybe(Type.Object({ by: text, lines: whole })),
  lines,
})

const scene = { tickets: Type.Array(Ticket), chats: Type.Array(Chat) }

/** What stands on a desk besides what every company of the demo has. */
export const parseScene = createValidator(Type.Object(scene))

export type SeedScene = Static<TObject<typeof scene>>
export type SeedTicket = Static<typeof Ticket>
export type SeedChat = Static<typeof Chat>

export const COMPANY = createValidator(
  Type.Object({
    people: Type.Array(Type.Object({ key: text, name: text, email: text, profile: Profile, queues: Type.Array(text) })),
    queues: Type.Array(Type.Object({ name: text, color: text, customOrder: whole })),
    tags: Type.Array(Type.Object({ name: text, color: text })),
    quickAnswers: Type.Array(Type.Object({ shortcut: text, message: text })),
    questions: Type.Array(
      Type.Object({ pergunta: text, resposta: text, queue: maybe(text), openTicket: Type.Boolean() }),
    ),
    connections: Type.Array(
      Type.Object({
        name: text,
        api: ConnectionKind,
        isDefault: maybe(Type.Boolean()),
        greetingMessage: maybe(text),
        greetingBotMessage: maybe(text),
        farewellMessage: maybe(text),
        queues: Type.Array(text),
      }),
    ),
    ...scene,
  }),
)(company)
