// Long work in every state, and the look at a sheet that begins it.
import type { Job } from '@balcao/contract'
import { useEffect } from 'react'
import { formatNumber } from '../src/i18n/index.ts'
import { ImportDialog, JobProgress } from '../src/kit/screens/index.ts'
import { Sheet } from './Sheet.tsx'

export function Jobs() {
  const idle = () => undefined
  const jobs: readonly Job[] = [
    makeJob(1, { state: 'waiting' }),
    makeJob(2, {
      state: 'running',
      done: 3120,
      total: 8400,
      result: { url: null, expiresAt: null, name: null, counts: { failed: 4 } },
    }),
    makeJob(3, {
      state: 'done',
      result: { url: null, expiresAt: '2026-11-23T15:00:00.000Z', name: 'contatos.xlsx', counts: {} },
    }),
    makeJob(4, { state: 'done', result: { url: null, expiresAt: null, name: 'erros.xlsx', counts: { failed: 7 } } }),
    makeJob(5, { state: 'failed', error: 'ERR_NO_SPACE' }),
    makeJob(6, { state: 'cancelled' }),
  ]
  return (
    <Sheet>
      <div className="rounded-card border border-line bg-surface px-4">
        {jobs.map(job => (
          <JobProgress key={job.id} job={job} onCancel={idle} onDownload={idle} />
        ))}
      </div>
    </Sheet>
  )
}

function makeJob(id: number, part: Partial<Job>): Job {
  const nothing = { about: null, done: 0, total: null, result: null, error: null, endedAt: null }
  return {
    id,
    kind: 'contacts.import',
    userId: 1,
    state: 'waiting',
    version: 1,
    createdAt: '2026-11-22T12:00:00.000Z',
    ...nothing,
    ...part,
  }
}

/** A file is put in, as a person does. */
export function Import() {
  useEffect(() => {
    const field = document.querySelector<HTMLInputElement>('input[type="file"]')
    const files = new DataTransfer()
    files.items.add(new File(['x'], 'contatos-novembro.xlsx'))
    if (!field) return
    field.files = files.files
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }, [])
  return (
    <ImportDialog
      title="Importar contatos"
      intro="Nada é gravado antes de você confirmar."
      columns={[
        { id: 'name', label: 'Nome' },
        { id: 'number', label: 'Número' },
      ]}
      look={makeSheetPreview}
      actionOf={count => `Importar ${formatNumber(count)} contatos`}
      begin={async () => undefined}
      onClose={() => undefined}
    />
  )
}

async function makeSheetPreview() {
  return {
    heads: ['Cliente', 'Fone', 'Obs'],
    sample: [
      ['Padaria Estrela', '31 98450-7712', 'paga no fim do mês'],
      ['Buffet Vila Rica', '31 98820-9934', ''],
    ],
    columns: ['name', 'number', null],
    ...{ created: 7000, updated: 944, same: 449, wrong: 7 },
    faults: [{ line: 12, text: 'Número com 7 dígitos' }],
  }
}
