// Long work on the screen, against a server of its own.
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import type { Job, JobResult } from '@balcao/contract'
import { live } from '@balcao/ui/live'
import { Toasts } from '@balcao/ui/parts'
import type { Server } from 'bun'
import es from '../locales/screens/es.json'
import pt from '../locales/screens/pt.json'
import { notices } from '../src/kit/parts/toast.ts'
import { ExportButton, JobStrip, JobTray } from '../src/kit/screens/index.ts'
import { startPageServer } from './page.ts'

// After the DOM exists: the library looks for it when it is loaded.
const { cleanup, render, screen, waitFor, within } = await import('@testing-library/react')
const { default: userEvent } = await import('@testing-library/user-event')

let jobs: Job[] = []
let older: Job[] = []
let refused: string | null = null
/** What the end of a job waits for. */
let slow: Promise<void> | null = null
const requests: string[] = []
let server: Server<undefined>
let address: string

beforeEach(() => {
  refused = null
  slow = null
  older = []
  requests.splice(0)
  server = startPageServer({
    async fetch({ method }, { pathname, search }) {
      requests.push(`${method} ${pathname}${search}`)
      if (refused) return Response.json({ error: refused, message: 'Esta tarefa não foi encontrada.' }, { status: 409 })
      const [, , id] = pathname.split('/')
      if (!id) {
        const page = search === '' ? jobs : older
        const nextCursor = search === '' && older.length > 0 ? (jobs.at(-1)?.id ?? null) : null
        return Response.json({ jobs: page, hasMore: nextCursor !== null, nextCursor })
      }
      const job = jobs.find(one => one.id === Number(id))
      if (method === 'DELETE') {
        await slow
        return Response.json({ ...job, state: 'cancelled', version: 9 })
      }
      return Response.json({ ...job, result: makeResult({ url: '#signed' }) })
    },
  })
  address = location.href
})
afterEach(async () => {
  cleanup()
  live.stop()
  notices.list = []
  await server.stop(true)
})

describe('the tray', () => {
  test('tells how much goes on and lists all; what is older comes when somebody asks', async () => {
    jobs = [
      makeJob({ id: 8 }),
      makeJob({ id: 7, state: 'running', done: 1, total: 2 }),
      makeJob({ id: 3, state: 'done' }),
    ]
    older = [makeJob({ id: 1, state: 'failed', error: 'ERR_NO_SPACE' })]
    render(<JobTray />)
    const pill = await screen.findByRole('button', { name: '2 tarefas' })
    await userEvent.click(pill)
    const tray = screen.getByRole('dialog', { name: 'Tarefas' })
    const states = () =>
      within(tray)
        .getAllByRole('listitem')
        .map(item => item.querySelector('.b-job-words > span')?.textContent)
    expect(states()).toEqual(['Na vez', 'Em andamento · 1 de 2', 'Pronta'])
    await userEvent.click(within(tray).getByRole('button', { name: 'Mais antigas' }))
    await waitFor(() => expect(states()).toHaveLength(4))
    expect(states()[3]).toBe(
      'Parou · O servidor está sem espaço para arquivos. Textos continuam saindo. Avise o administrador.',
    )
    expect(requests.at(-1)).toBe('GET /jobs?cursor=3')
    expect(within(tray).queryByRole('button', { name: 'Mais antigas' })).toBeNull()
  })

  test('has something to press on a narrow screen too, where its words are not shown', async () => {
    for (const state of ['running', 'done'] as const) {
      jobs = [makeJob({ id: 8, state })]
      const { unmount } = render(<JobTray />)
      const pill = await screen.findByRole('button', { name: state === 'running' ? '1 tarefa' : 'Tarefas' })
      expect([state, pill.querySelectorAll('svg').length]).toEqual([state, 1])
      unmount()
    }
  })

  test('says of what came what it was: messages and files of one person, lines of the log, contacts', async () => {
    const counts: readonly JobResult['counts'][] = [{ messages: 18, files: 2 }, { entries: 1 }, { exported: 3 }]
    jobs = counts.map((each, at) =>
      makeJob({ id: 9 - at, state: 'done', result: makeResult({ counts: each, expiresAt: null }) }),
    )
    render(<JobTray />)
    await userEvent.click(await screen.findByRole('button', { name: 'Tarefas' }))
    const texts = screen.getAllByRole('listitem').map(item => item.querySelector('.b-job-words > span')?.textContent)
    expect(texts).toEqual(['Pronta · 18 mensagens · 2 arquivos', 'Pronta · 1 linha', 'Pronta · 3 contatos'])
  })

  test.each([
    ['pt', pt.job, /(?:a|ão)$/, 'Pronta'],
    ['es', es.job, /(?:a|ión)$/, 'Lista'],
  ] as const)('is ready in the gender of what it is called, in %s', (_, texts, isFeminine, ready) => {
    for (const [kind, names] of Object.entries(texts.kind))
      for (const name of Object.values(names)) {
        const state = kind === 'report' ? texts.report.done : texts.done
        expect([name, state === ready]).toEqual([name, isFeminine.test(name.split(' ')[0] ?? '')])
      }
  })

  test('tells reports of one kind apart by period and format, and agrees with what it names', async () => {
    const about = { from: '2026-11-01', to: '2026-11-24', format: 'pdf' } as const
    const abouts: readonly Job['about'][] = [
      about,
      { ...about, format: 'xlsx' },
      { ...about, from: '2026-11-24' },
      { ...about, to: null, format: null },
      { ...about, from: null },
    ]
    jobs = [
      ...abouts.map((each, at) => makeJob({ id: 9 - at, kind: 'report.ticket', state: 'done', about: each })),
      makeJob({ id: 2, kind: 'contacts.export', state: 'done', about: { from: null, to: null, format: 'csv' } }),
      makeJob({ id: 1, kind: 'report.queue', state: 'cancelled' }),
    ]
    render(<JobTray />)
    await userEvent.click(await screen.findByRole('button', { name: 'Tarefas' }))
    const texts = screen.getAllByRole('listitem').map(item => {
      const words = item.querySelectorAll('.b-job-words > *')
      return [...words].map(each => each.textContent)
    })
    expect(texts).toEqual([
      ['Relatório de atendimentos · 01/11/2026 a 24/11/2026 · PDF', 'Pronto'],
      ['Relatório de atendimentos · 01/11/2026 a 24/11/2026 · planilha', 'Pronto'],
      ['Relatório de atendimentos · 24/11/2026 · PDF', 'Pronto'],
      ['Relatório de atendimentos · desde 01/11/2026', 'Pronto'],
      ['Relatório de atendimentos · até 24/11/2026 · PDF', 'Pronto'],
      ['Exportação de contatos · CSV', 'Pronta'],
      ['Relatório de filas', 'Cancelado'],
    ])
  })

  test('stops a job, which then says that it was', async () => {
    jobs = [makeJob({ id: 7, state: 'running' })]
    render(<JobTray />)
    await userEvent.click(await screen.findByRole('button', { name: '1 tarefa' }))
    await userEvent.click(screen.getByRole('button', { name: 'Parar' }))
    expect(await screen.findByText('Cancelada')).toBeTruthy()
    expect(requests).toContain('DELETE /jobs/7')
    expect(screen.queryByRole('button', { name: 'Parar' })).toBeNull()
  })

  test('two stopped in a row are both stopped, each once however often it is pressed', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    slow = promise
    jobs = [makeJob({ id: 8, state: 'running' }), makeJob({ id: 7, state: 'running' })]
    render(<JobTray />)
    await userEvent.click(await screen.findByRole('button', { name: '2 tarefas' }))
    for (const button of screen.getAllByRole('button', { name: 'Parar' })) await userEvent.dblClick(button)
    const stopped = () => requests.filter(one => one.startsWith('DELETE')).toSorted()
    await waitFor(() => expect(stopped()).toEqual(['DELETE /jobs/7', 'DELETE /jobs/8']))
    resolve()
    await waitFor(() => expect(screen.getAllByText('Cancelada')).toHaveLength(2))
  })

  test('goes to the file by a link that is made for this moment, and leaves the page where it is', async () => {
    const saved: { name: string; address: string }[] = []
    const click = spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push({ name: this.download, address: this.href })
    })
    jobs = [makeJob({ id: 7, state: 'done', result: makeResult({ name: 'contatos.xlsx' }) })]
    render(<JobTray />)
    await userEvent.click(await screen.findByRole('button', { name: 'Tarefas' }))
    await userEvent.click(screen.getByRole('button', { name: 'Baixar contatos.xlsx' }))
    await waitFor(() => expect(saved).toEqual([{ name: 'contatos.xlsx', address: `${address}#signed` }]))
    expect(requests).toContain('GET /jobs/7')
    click.mockRestore()
  })

  test('what the server refuses is told, and the job stays as it is', async () => {
    jobs = [makeJob({ id: 7, state: 'running' })]
    render(
      <>
        <JobTray />
        <Toasts />
      </>,
    )
    await userEvent.click(await screen.findByRole('button', { name: '1 tarefa' }))
    refused = 'ERR_NO_JOB_FOUND'
    await userEvent.click(screen.getByRole('button', { name: 'Parar' }))
    expect((await screen.findByRole('alert')).textContent).toContain('Esta tarefa não foi encontrada.')
    expect(screen.getByText('Em andamento')).toBeTruthy()
  })
})

describe('the strip of a page', () => {
  test('shows the work of its kind while it goes on, and no other', async () => {
    jobs = [makeJob({ id: 7, kind: 'contacts.export', state: 'running' }), makeJob({ id: 8, state: 'done' })]
    const { container, rerender } = render(<JobStrip kinds={['contacts.export']} />)
    await screen.findByRole('status')
    expect(container.textContent).toContain('Em andamento')
    rerender(<JobStrip kinds={['contacts.import']} />)
    expect(screen.queryByRole('status')).toBeNull()
    // What ended while somebody looked stays until it is put away.
    rerender(<JobStrip kinds={['contacts.export']} />)
    await userEvent.click(screen.getByRole('button', { name: 'Parar' }))
    await screen.findByText('Cancelada')
    await userEvent.click(screen.getByRole('button', { name: 'Esconder' }))
    expect(screen.queryByRole('status')).toBeNull()
  })
})

describe('the button of an export', () => {
  test('says where the file will be, and why it was not begun', async () => {
    let begins = () => Promise.resolve({ jobId: 1 })
    const { rerender } = render(<ExportButton label="Exportar" begin={() => begins()} />)
    await userEvent.click(screen.getByRole('button', { name: 'Exportar' }))
    await waitFor(() => expect(notices.list.map(({ kind }) => kind)).toEqual(['info']))
    begins = () => Promise.reject(new Error('Sem linha'))
    rerender(<ExportButton label="Exportar" begin={() => begins()} />)
    await userEvent.click(screen.getByRole('button', { name: 'Exportar' }))
    await waitFor(() => expect(notices.list.map(({ kind }) => kind)).toEqual(['info', 'error']))
  })
})

function makeJob(part: Partial<Job>): Job {
  const times = { createdAt: '2026-11-22T12:00:00.000Z', endedAt: null }
  const nothing = { about: null, done: 0, total: null, result: null, error: null }
  return { id: 1, kind: 'contacts.import', userId: 1, state: 'waiting', version: 1, ...nothing, ...times, ...part }
}

function makeResult(part: Partial<JobResult>): JobResult {
  return { url: null, expiresAt: null, name: null, counts: {}, ...part }
}
