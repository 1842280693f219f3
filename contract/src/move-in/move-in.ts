// Moving in from another desk (docs/decisions/0319).
import { MB } from '../kit/limits.ts'
import { Id, Instant, Nullable, type Static, StringEnum, Type } from '../kit/schema.ts'

export const MOVE_IN_SOURCES = ['whaticket', 'ticketz', 'chatwoot'] as const
export type MoveInSource = (typeof MOVE_IN_SOURCES)[number]
/** As people know them. */
export const MOVE_IN_NAMES: Readonly<Record<MoveInSource, string>> = {
  whaticket: 'Whaticket',
  ticketz: 'Ticketz',
  chatwoot: 'Chatwoot',
}

/** The most bytes of a part of a dump: proxies let it through, and a broken line loses no more. */
export const MOVE_IN_PART = 8 * MB

/**
 * `uploading`: parts of its dump come; `reading`: their rows are laid aside; `ready`: looked at, nothing has come yet; `stopped`: goes on when
 * somebody says so; `fetching`: all has come, and the files of the messages follow; `undoStopped`: a part of it is gone again, and it can only
 * be undone to its end.
 */
export const MOVE_IN_STATES = [
  'uploading',
  'reading',
  'ready',
  'writing',
  'fetching',
  'stopped',
  'done',
  'failed',
  'undoing',
  'undoStopped',
  'undone',
] as const

/** Those in which a job works on it. */
export const MOVE_IN_WORKING: readonly (typeof MOVE_IN_STATES)[number][] = ['reading', 'writing', 'fetching', 'undoing']

/** What comes, in this order. */
export const MOVE_IN_KINDS = ['user', 'queue', 'tag', 'contact', 'quickAnswer', 'ticket', 'rating', 'message'] as const
export type MoveInKind = (typeof MOVE_IN_KINDS)[number]

export const MOVE_IN_FAULTS = [
  'numberUnreadable',
  'numberMissing',
  'emailMissing',
  'nameMissing',
  'textMissing',
  'contactErased',
  'contactMissing',
  'ticketMissing',
] as const
export type MoveInFault = (typeof MOVE_IN_FAULTS)[number]

/** Why a file of a message does not come. */
export const MOVE_IN_FILE_FAULTS = ['missing', 'tooLarge', 'empty'] as const
export type MoveInFileFault = (typeof MOVE_IN_FILE_FAULTS)[number]

/** What would come: how many of each kind, and what cannot, with some of their names. */
export const MoveInPreview = Type.Object({
  kinds: Type.Array(Type.Object({ kind: StringEnum(MOVE_IN_KINDS), count: Type.Integer(), left: Type.Integer() })),
  faults: Type.Array(
    Type.Object({
      kind: StringEnum(MOVE_IN_KINDS),
      fault: StringEnum(MOVE_IN_FAULTS),
      count: Type.Integer(),
      names: Type.Array(Type.String()),
    }),
  ),
  firstAt: Nullable(Instant),
  lastAt: Nullable(Instant),
  openTickets: Type.Integer({ description: 'live there; they come closed, and their contacts get a tag' }),
  companies: Type.Array(Type.Object({ key: Type.String(), name: Type.String() })),
})
export type MoveInPreview = Static<typeof MoveInPreview>

/** `counts`: how many came so far, by kind; `fileNamed`: files that messages name, `file`: those of them that came. */
export const MoveIn = Type.Object({
  id: Id,
  source: StringEnum(MOVE_IN_SOURCES),
  state: StringEnum(MOVE_IN_STATES),
  userId: Id,
  dump: Nullable(
    Type.Object(
      { name: Type.String(), size: Type.Integer(), received: Type.Integer() },
      {
        description: 'the file that was announced, and how many bytes of it are here; it goes once it is read',
      },
    ),
  ),
  preview: Nullable(MoveInPreview),
  counts: Type.Record(Type.String(), Type.Integer()),
  done: Type.Integer(),
  total: Type.Integer(),
  error: Nullable(Type.String()),
  createdAt: Instant,
  endedAt: Nullable(Instant),
})
export type MoveIn = Static<typeof MoveIn>
