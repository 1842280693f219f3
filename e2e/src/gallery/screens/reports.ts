// The manager's reports.
import type { Job } from '@balcao/contract'
import type { Screen, ScreenContext } from '../stage.ts'
import { locateButton, mockAnswer } from '../steps.ts'

const JOBS = /\/jobs\/?(\?|$)/

export const REPORTS: readonly Screen[] = [
  {
    name: 'reports',
    as: 'gerente',
    steps: async stage => {
      await withJobs(stage, [RUNNING, READY, FAILED])
      await open(stage)
      await stage.page.getByText(/neste recorte/).waitFor()
    },
  },
  {
    name: 'reports-new',
    state: true,
    fresh: true,
    steps: async stage => {
      await withJobs(stage, [])
      await open(stage)
      await stage.page.getByText(/neste recorte/).waitFor()
    },
  },
  {
    name: 'reports-wrong',
    state: true,
    fresh: true,
    steps: async stage => {
      await withJobs(stage, [])
      await open(stage)
      await locateButton(stage, 'Conversas de um contato').click()
      const card = stage.page.locator('[data-report=message]')
      await card.getByLabel('De').fill('2026-11-30')
      await card.getByLabel('Até').fill('2026-11-01')
      await card.getByRole('button', { name: 'Gerar' }).click()
      await stage.page.getByText('Preencha o campo de contato').waitFor()
    },
  },
  {
    name: 'reports-nothing-found',
    state: true,
    fresh: true,
    steps: async stage => {
      await withJobs(stage, [])
      await open(stage)
      await stage.page.getByRole('searchbox', { name: 'Buscar relatório' }).fill('faturamento')
      await stage.page.getByText(/^Nenhum relatório com/).waitFor()
    },
  },
]

async function open(stage: ScreenContext): Promise<void> {
  await stage.open('/report')
  await locateButton(stage, 'Atendimentos').waitFor()
}

function withJobs(stage: ScreenContext, jobs: readonly Job[]): Promise<void> {
  return mockAnswer(stage, JOBS, () => ({ jobs, hasMore: false, nextCursor: null }))
}

const PERIOD = { from: '2026-11-01', to: '2026-11-24', format: 'pdf' } as const
const BEGUN = { about: PERIOD, done: 0, total: null, userId: 1, error: null, result: null, version: 3 }
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

const RUNNING: Job = {
  ...BEGUN,
  ...{
    id: 93,
    kind: 'report.contact',
    state: 'running',
    done: 96,
    total: 225,
    createdAt: minutesAgo(1),
    endedAt: null,
  },
}
const READY: Job = {
  ...BEGUN,
  ...{
    id: 92,
    kind: 'report.queue',
    state: 'done',
    done: 4,
    total: 4,
    createdAt: minutesAgo(5),
    endedAt: minutesAgo(4),
  },
  result: {
    url: null,
    expiresAt: null,
    name: 'filas-2026-11-01-2026-11-24.pdf',
    counts: { rows: 4, pages: 4, bytes: 190_464 },
  },
}
const FAILED: Job = {
  ...BEGUN,
  ...{
    id: 91,
    kind: 'report.message',
    state: 'failed',
    error: 'ERR_NO_SPACE',
    createdAt: minutesAgo(9),
    endedAt: minutesAgo(8),
  },
}
