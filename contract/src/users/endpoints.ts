import { SHEET_ERRORS, SheetLanguage } from '../jobs/job.ts'
import type { Endpoint } from '../kit/endpoint.ts'
import { ClientId, Files, Id, IgnoredLog, Nullable, page, Search, Secret, Type } from '../kit/schema.ts'
import { USER_COLUMNS } from './rules.ts'
import { Profile, User, UserDetails } from './user.ts'

const Flag = Type.Optional(Type.Boolean())
const Time = Type.Optional(Type.String({ maxLength: 20 }))

/** Fields of the user form (spec 2 §2); a row of `substitution` may still lack its queue or person, and is then refused by name. */
export const UserForm = Type.Object({
  name: Type.String({ maxLength: 20_000 }),
  email: Secret,
  password: Type.Optional(Secret),
  profile: Type.Optional(Profile),
  active: Flag,
  startTime: Time,
  endTime: Time,
  weekdays: Flag,
  saturday: Flag,
  sunday: Flag,
  holidays: Flag,
  addContact: Flag,
  editContact: Flag,
  delContact: Flag,
  whatsappId: Type.Optional(Nullable(Id)),
  queueIds: Type.Optional(Type.Array(Id, { maxItems: 500 })),
  substitution: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.Optional(Nullable(Id)),
        value: Type.Optional(Nullable(Id)),
        transfer: Type.Optional(Nullable(Type.Boolean())),
      }),
      { maxItems: 500 },
    ),
  ),
  /** The password given is for one sign-in, and must then be changed. */
  mustChangePassword: Flag,
  log: IgnoredLog,
})

/** A sheet as a file: small ones come in the answer itself. */
export const SheetFile = Type.Object({ name: Type.String(), base64: Type.String() })

/** What came of a sheet, or would come of it; rows are counted as in the sheet, the heading is row 1 (decisions-2 §22). */
export const UserImportResult = Type.Object({
  /** People added, or who would be. */
  imported: Type.Integer(),
  /** Rows of people whose e-mail is known already. */
  skipped: Type.Integer(),
  /** `field` is a column of the sheet (`email`, `perfil`, …), `error` a code, `message` what people read. */
  errors: Type.Array(
    Type.Object({ row: Type.Integer(), field: Type.String(), error: Type.String(), message: Type.String() }),
  ),
  /** The headings of the sheet, and which column each was taken for; null: left out. */
  columns: Type.Array(Type.Object({ head: Type.String(), field: Nullable(Type.String()) })),
  /** The first rows as they stand in the sheet, passwords hidden. */
  rows: Type.Array(Type.Array(Type.String())),
  /** The wrong rows as they were, each with what is wrong: to be mended and imported again. Null where none is. */
  errorSheet: Nullable(SheetFile),
  /** One-time passwords of people whose row had none; this answer alone shows them. */
  passwords: Type.Array(
    Type.Object({ row: Type.Integer(), name: Type.String(), email: Type.String(), password: Type.String() }),
  ),
})

const SAVING = ['ERR_DUPLICATED_EMAIL', 'ERR_NO_QUEUE_FOUND', 'ERR_NO_WAPP_FOUND'] as const

/** People of the team: the list, the form, what administrators do to them, and their sheets (spec 2 §2, §4, §5, §7). */
export const userEndpoints = {
  'GET /users': {
    summary: 'Members of the team by name; all of them with all, for administrators also by a whole e-mail',
    query: Search,
    answer: Type.Object({ users: Type.Array(User), ...page }),
  },
  'GET /users/import/template': {
    summary: 'An empty sheet with the headings of an import, as .xlsx',
    audience: 'admin',
    answer: SheetFile,
  },
  'GET /users/:id': {
    summary: 'One member of the team, oneself also out of hours; administrators are also told of the live tickets',
    errors: ['ERR_NO_USER_FOUND'],
    outsideHours: true,
    answer: UserDetails,
  },
  'POST /users': {
    summary:
      'Add somebody; without a password a one-time password is made, which this answer alone shows, and its repeat under the same clientId while nobody has used it',
    audience: 'admin',
    errors: [...SAVING, 'ERR_NO_USER_FOUND'],
    body: Type.Object({ ...UserForm.properties, clientId: ClientId }),
    answer: Type.Object({ ...User.properties, oneTimePassword: Nullable(Type.String()) }),
    status: 201,
  },
  'PUT /users/:id': {
    summary:
      'Change somebody: own name, e-mail and password (with currentPassword) oneself, everything else administrators',
    description:
      'Deactivating hands the live tickets of a queue to the substitute where `transfer` is set; the others wait again in their queue.',
    errors: ['ERR_NO_USER_FOUND', 'ERR_CHANGED_MEANWHILE', 'ERR_TOO_MANY_ATTEMPTS', ...SAVING],
    beforePasswordChange: true,
    body: Type.Object({
      ...Type.Partial(UserForm).properties,
      currentPassword: Type.Optional(Secret),
      /** What the change began from; older than what is stored is refused with the present person in `details`. */
      version: Type.Optional(Type.Integer()),
    }),
    answer: User,
  },
  'DELETE /users/:id': {
    summary: 'Delete somebody; live tickets go to the substitutes, or wait again in their queue',
    audience: 'admin',
    errors: ['ERR_NO_USER_FOUND'],
    body: Type.Object({ log: IgnoredLog }),
    status: 204,
  },
  'POST /users/transfer/:id': {
    summary: 'Hand the live tickets somebody has in a queue to somebody else of that queue',
    audience: 'admin',
    errors: ['ERR_NO_USER_FOUND', 'ERR_NO_QUEUE_FOUND'],
    body: Type.Object({ substituteId: Id, queueId: Id }),
    answer: Type.Object({ tickets: Type.Integer() }),
  },
  'POST /users/reset/:id': {
    summary: 'Give somebody a one-time password, which this answer alone shows; it ends all of that person’s sessions',
    audience: 'admin',
    errors: ['ERR_NO_USER_FOUND'],
    answer: Type.Object({ password: Type.String() }),
  },
  'POST /users/picture/:id': {
    summary: 'Set a profile picture (multipart: medias): the own one, or as administrator anybody’s',
    errors: ['ERR_NO_USER_FOUND', 'ERR_FILE_TYPE', 'ERR_NO_SPACE', 'ERR_FILE_TOO_LARGE'],
    bodyKind: 'multipart',
    form: Type.Object({ medias: Files }),
    answer: Type.Object({ profilePicUrl: Type.String() }),
  },
  'POST /users/import/:userId': {
    summary:
      'Add people from a sheet of at most 500 rows (multipart: medias); nobody while a row is wrong, unless partial=true',
    description: `Columns: ${USER_COLUMNS.join(', ')}, also by their English and Spanish names. preview=true writes nothing. The path names who imports; it is always whose session asks.`,
    audience: 'admin',
    errors: SHEET_ERRORS,
    query: Type.Object({
      partial: Type.Optional(Type.String({ maxLength: 5 })),
      preview: Type.Optional(Type.String({ maxLength: 5 })),
      language: SheetLanguage,
    }),
    bodyKind: 'multipart',
    form: Type.Object({
      medias: Files,
      columns: Type.Optional(Type.String({ description: 'JSON: the column for each heading, null to leave it out' })),
      clientId: Type.Optional(
        Type.String({
          description:
            'a random name of this import: repeated under it, it says again the passwords that it gave and nobody has used',
        }),
      ),
    }),
    answer: UserImportResult,
  },
} as const satisfies Record<string, Endpoint>
