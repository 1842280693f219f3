// Moving in from another desk.

import { findAccount } from '../../steps.ts'
import type { Screen, ScreenContext } from '../stage.ts'
import { locateButton, makeFailedScreen, showPage } from '../steps.ts'

const PATH = '/integrations?move-in'
const KINDS = { user: [4, 1], queue: [3, 0], tag: [6, 0], contact: [8214, 37], quickAnswer: [22, 1] } as const
const TALKS = { ticket: [12_840, 41], message: [96_311, 118] } as const
const PREVIEW = {
  kinds: Object.entries({ ...KINDS, ...TALKS }).map(([kind, [count, left]]) => ({ kind, count, left })),
  faults: [
    { kind: 'contact', fault: 'numberUnreadable', count: 37, names: ['Padaria Estrela', 'Zé da obra', '0800 ajuda'] },
    { kind: 'ticket', fault: 'contactMissing', count: 41, names: [] },
  ],
  ...{ firstAt: '2022-02-01T12:00:00.000Z', lastAt: '2026-03-01T18:30:00.000Z', openTickets: 14 },
  companies: [
    { key: '1', name: 'Casa da Ração' },
    { key: '2', name: 'Outra Loja' },
  ],
}

interface MadeMove {
  readonly state: string
  readonly preview?: object
  readonly counts?: object
  readonly done?: number
  readonly error?: string
  readonly fileSize?: number
}

/** One that stands somewhere, as if it had come that far. */
async function addMove({ sql, api, world }: ScreenContext, { state, ...move }: MadeMove): Promise<void> {
  const { users } = (await api('GET', '/users?all=true')) as { users: { id: number; name: string }[] }
  const userId = users.find(({ name }) => name === findAccount(world, 'admin').name)?.id ?? 0
  const { preview = null, counts = {}, done = 0, error = null, fileSize = null } = move
  const [job] = await sql<{ id: number }[]>`
    insert into job (kind, user_id, params, state) values ('moveIn.write', ${userId}, '{"moveInId": 0}', 'waiting') returning id`
  await sql`
    insert into move_in (source, open_tag, state, preview, counts, done, total, error, user_id, job_id, file_name, file_size, created_at)
    values ('ticketz', 'Em andamento no Ticketz', ${state}, ${preview && sql.json(preview as never)}, ${sql.json(counts as never)}, ${done}, 117400,
      ${error}, ${userId}, ${job?.id ?? null}, ${fileSize === null ? null : 'ticketz-2026-03-01.sql.gz'}, ${fileSize}, '2026-03-02T12:00:00Z')`
}

async function removeMoves({ sql }: ScreenContext): Promise<void> {
  await sql`delete from job where id in (select job_id from move_in)`
  await sql`delete from move_in`
}

function makeScreen(name: string, move: MadeMove, text: string, more?: Screen['steps']): Screen {
  return {
    name,
    steps: async stage => {
      await addMove(stage, move)
      await showPage(PATH, text)(stage)
      await more?.(stage)
    },
    after: removeMoves,
  }
}

export const MOVE_IN: readonly Screen[] = [
  { name: 'move-in', steps: showPage(PATH, 'Trazer de outro sistema') },
  makeFailedScreen('move-in-failed', { calls: /\/move-in\/?(\?|$)/, path: PATH, text: 'A mudança não carregou' }),
  makeScreen('move-in-upload', { state: 'uploading', fileSize: 1_840_000_000 }, 'parou'),
  makeScreen(
    'move-in-company',
    { state: 'failed', error: 'ERR_MOVE_IN_COMPANY', preview: PREVIEW, fileSize: 1_840_000_000 },
    'De qual empresa?',
  ),
  makeScreen('move-in-ready', { state: 'ready', preview: PREVIEW }, 'O que viria'),
  makeScreen('move-in-writing', { state: 'writing', preview: PREVIEW, done: 48_211 }, 'Trazendo para o Balcão'),
  makeScreen('move-in-stopped', { state: 'stopped', preview: PREVIEW, done: 48_211 }, 'Parou em'),
  makeScreen(
    'move-in-undo-stopped',
    { state: 'undoStopped', preview: PREVIEW, counts: { contact: 8214, ticket: 12_840 } },
    'Parou antes de desfazer tudo',
  ),
  makeScreen(
    'move-in-undo',
    { state: 'done', preview: PREVIEW, counts: { contact: 8214, ticket: 12_840, message: 96_311 } },
    'Mudança concluída',
    async stage => {
      await locateButton(stage, 'Desfazer').click()
      await stage.page.getByRole('dialog').waitFor()
    },
  ),
]
