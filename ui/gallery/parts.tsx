// Every part of the kit, in every state that a screen may show.
import type { Job } from '@balcao/contract'
import { Clock, FileDown, Lock, Pencil, Tag, Trash2, Upload, UserRound } from 'lucide-react'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { Avatar, Chip, Drawer, Switch, TextInput } from '../src/parts/index.ts'
import {
  BarChart,
  CheckChips,
  ColorField,
  type Column,
  ConfirmDanger,
  DataPage,
  DateRange,
  FileField,
  FilterButton,
  FoldedSection,
  FormDialog,
  FormField,
  FormSection,
  Gauge,
  ImportDialog,
  JobProgress,
  type LiveRowMeans,
  MonoChip,
  PhonePreview,
  Picker,
  RecipientPicker,
  RingChart,
  type RowQuery,
  RowsField,
  SettingRow,
  useForm,
  useRows,
  useSelection,
} from '../src/screens/index.ts'

interface Contact {
  readonly id: number
  readonly name: string
  readonly number: string
  readonly tag: string | null
  readonly messages: number
  readonly version: number
}

export const PARTS: Readonly<Record<string, ComponentType>> = {
  table: () => <Contacts page={of(SOME)} count={3825} />,
  'table-chosen': () => <Contacts page={of(SOME)} count={3825} chosen={3} panel />,
  'table-long': () => <Contacts page={of(many(400))} />,
  'table-more-failed': () => <Contacts page={moreFails} />,
  'table-loading': () => <Contacts page={() => new Promise(() => undefined)} />,
  'table-empty': () => <Contacts page={of([])} />,
  'table-nothing': () => <Contacts page={query => of(query.search ? [] : SOME)()} typed="padria" />,
  'table-failed': () => <Contacts page={() => Promise.reject(new Error('no line'))} />,
  form: () => (
    <ContactForm start={{ name: 'X', number: '5531984507712', color: '#2c53a4', file: 'tabela.pdf' }} tried />
  ),
  'form-docked': () => <ContactForm start={EMPTY} docked />,
  'form-elsewhere': () => <ContactForm start={EMPTY} now={{ ...EMPTY, name: 'Padaria Estrela' }} />,
  'danger-small': DangerSmall,
  'danger-great': DangerGreat,
  fields: Fields,
  settings: Settings,
  jobs: Jobs,
  'job-import': Import,
  charts: Charts,
  phone: Phone,
}

const NAMES = ['Adega Serra Azul', 'Armazém do Zeca', 'Beatriz Camargo', 'Buffet Vila Rica', 'Cantina da Nena']
const SOME = many(5)

function many(count: number): Contact[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: NAMES[index % 5] + (index < 5 ? '' : ` ${index}`),
    number: `+55 31 98${String(112 + index)}-4030`,
    tag: index % 3 === 0 ? 'Recorrente' : null,
    messages: index * 41,
    version: 1,
  }))
}

function of(rows: readonly Contact[]) {
  return async () => ({ rows, nextCursor: null, count: rows.length })
}

async function moreFails(_query: RowQuery, cursor: string | null) {
  if (cursor) throw new Error('no line')
  return { rows: SOME, nextCursor: 'next', count: 3825 }
}

const COLUMNS: readonly Column<Contact>[] = [
  {
    id: 'name',
    cell: ({ id, name }) => (
      <span className="flex min-w-0 items-center gap-2.5">
        <Avatar id={id} name={name} size={28} />
        <span className="truncate">{name}</span>
      </span>
    ),
  },
  { id: 'number', cell: ({ number }) => number },
  { id: 'tags', cell: ({ tag }) => tag && <Chip color="#1f8fb5">{tag}</Chip> },
  { id: 'messages', width: 'w-32', figures: true, cell: ({ messages }) => messages },
]

interface ContactsProps {
  readonly page: LiveRowMeans<Contact, RowQuery>['page']
  readonly count?: number
  readonly typed?: string
  /** So many are chosen. */
  readonly chosen?: number
  readonly panel?: boolean
}

function Contacts({ page, count, typed, chosen = 0, panel }: ContactsProps) {
  const [means] = useState<LiveRowMeans<Contact, RowQuery>>(() => ({
    start: { search: '' },
    order: (a, b) => a.id - b.id,
    matches: () => true,
    page: async (...asked) => ({ ...(await page(...asked)), ...(count ? { count } : {}) }),
    events: () => () => undefined,
  }))
  const rows = useRows(means)
  const selection = useSelection(rows.rows, rows.query)
  const { type } = rows
  const isThere = rows.rows.length > 0
  useEffect(() => {
    if (typed) type(typed)
  }, [typed, type])
  const marked = selection.ids.size
  // biome-ignore lint/correctness/useExhaustiveDependencies: one after the other, when the rows are there
  useEffect(() => {
    if (isThere && marked < chosen) selection.toggle(marked + 1)
  }, [isThere, marked])
  const idle = () => undefined
  return (
    <DataPage
      texts="gallery"
      icon={UserRound}
      rows={rows}
      columns={COLUMNS}
      nameOf={contact => contact.name}
      cardOf={({ id, name, number, tag }) => ({
        before: <Avatar id={id} name={name} />,
        title: name,
        text: number,
        note: tag && <Chip color="#1f8fb5">{tag}</Chip>,
      })}
      actions={[
        { id: 'edit', icon: Pencil, perform: idle },
        { id: 'remove', icon: Trash2, danger: true, when: ({ id }) => id !== 2, perform: idle },
      ]}
      sheets={[
        { id: 'import', label: 'Importar planilha', icon: Upload, onChoose: idle },
        { id: 'export', label: 'Exportar', icon: FileDown, onChoose: idle },
      ]}
      menu={[
        { id: 'columns', label: 'Colunas', onChoose: idle },
        'line',
        { id: 'clear', label: 'Limpar contatos', icon: Trash2, danger: true, onChoose: idle },
      ]}
      filters={
        <FilterButton label="Tag" options={[{ value: 1, label: 'VIP' }]} value={typed ? 1 : null} onChange={idle} />
      }
      onAdd={idle}
      selection={selection}
      bulk={[
        { id: 'tag', icon: Tag, perform: idle },
        { id: 'remove', icon: Trash2, danger: true, perform: idle },
      ]}
      panel={
        panel && (
          <Drawer title="Histórico" width={440} onClose={idle}>
            <p className="p-4">O que aconteceu com este contato.</p>
          </Drawer>
        )
      }
    />
  )
}

interface Form {
  readonly name: string
  readonly number: string
  readonly color: string
  readonly file: File | string | null
}

const EMPTY: Form = { name: '', number: '', color: '#2c53a4', file: null }

interface ContactFormProps {
  readonly start: Form
  readonly now?: Form
  readonly docked?: boolean
  readonly tried?: boolean
}

function ContactForm({ start, now, docked, tried }: ContactFormProps) {
  const form = useForm<Form, unknown>({
    texts: 'gallery',
    start,
    now,
    faultsOf: ({ name }) => ({ name: name.length < 2 ? 'Too Short!' : undefined }),
    save: () => new Promise(() => undefined),
    onSaved: () => undefined,
  })
  const { submit } = form
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (tried) submit()
  }, [])
  return (
    <FormDialog form={form} title="Adicionar contato" action="Salvar" docked={docked} onClose={() => undefined}>
      <FormSection title="Quem é">
        <FormField form={form} name="name" most={50} required>
          {field => <TextInput {...field} />}
        </FormField>
        <FormField form={form} name="number">
          {field => <TextInput {...field} inputMode="tel" />}
        </FormField>
      </FormSection>
      <FormSection title="Como aparece">
        <FormField form={form} name="color">
          {field => <ColorField {...field} taken={['#1f8fb5']} />}
        </FormField>
        <FormField form={form} name="file">
          {field => <FileField {...field} accept={['pdf']} />}
        </FormField>
      </FormSection>
      <FoldedSection title="Mais" open={false}>
        <p className="m-0">Nada mais.</p>
      </FoldedSection>
    </FormDialog>
  )
}

function DangerSmall() {
  return (
    <ConfirmDanger
      title="Apagar 3 contatos?"
      text="As conversas deles somem junto. Não dá para desfazer."
      things={[
        {
          id: 1,
          name: 'Buffet Vila Rica',
          note: '41 mensagens',
          before: <Avatar id={1} name="Buffet Vila Rica" size={28} />,
        },
        {
          id: 2,
          name: 'Cantina da Nena',
          note: '208 mensagens',
          before: <Avatar id={2} name="Cantina Nena" size={28} />,
        },
        {
          id: 3,
          name: 'Dona Lúcia Ferreira',
          stays: 'fica: tem protocolo',
          before: <Avatar id={3} name="Dona Lúcia" size={28} />,
        },
      ]}
      action="Apagar 2 contatos"
      onConfirm={async () => undefined}
      onClose={() => undefined}
    />
  )
}

function DangerGreat() {
  return (
    <ConfirmDanger
      great
      title="Limpar contatos?"
      figures={[
        {
          icon: Trash2,
          danger: true,
          text: (
            <>
              <strong>1.206 contatos</strong> sem conversa somem
            </>
          ),
        },
        {
          icon: Lock,
          text: (
            <>
              <strong>2.619</strong> ficam: têm conversa, protocolo ou agendamento
            </>
          ),
        },
        { icon: Clock, text: 'Tags com menos gente: Feira livre 41 → 12' },
      ]}
      wayOut={
        <>
          Antes,{' '}
          <button type="button" className="b-link">
            exporte os contatos
          </button>
          .
        </>
      }
      grace="Dá para desfazer por 7 dias."
      action="Limpar 1.206 contatos"
      onConfirm={async () => undefined}
      onClose={() => undefined}
    />
  )
}

function Fields() {
  const [rows, setRows] = useState<readonly { readonly id: number; readonly name: string }[]>(
    ['Horário', 'Preço', 'Sair'].map((name, id) => ({ id, name })),
  )
  const [days, setDays] = useState(['week'])
  const [range, setRange] = useState({ from: '2026-11-01', to: '2026-11-22' })
  const [recipients, setRecipients] = useState<Parameters<typeof RecipientPicker>[0]['value']>({
    by: 'contacts',
    contacts: [{ id: 1, name: 'Padaria Estrela' }],
    tagIds: [],
  })
  const find = async () => [{ id: 2, name: 'Padaria Nova Lima', note: '+55 31 98450-7712' }]
  return (
    <Sheet>
      <RowsField
        ordered
        label="Perguntas"
        rows={rows}
        onChange={setRows}
        nameOf={row => row.name}
        isLocked={row => row.name === 'Sair'}
        add={{ label: 'Adicionar pergunta', make: () => ({ id: rows.length, name: '' }) }}
        draw={(row, change) => (
          <TextInput aria-label={`Pergunta ${row.id}`} value={row.name} onChange={name => change({ name })} />
        )}
      />
      <CheckChips
        label="Dias"
        options={[
          { value: 'week', label: 'Seg a sex' },
          { value: 'saturday', label: 'Sábado' },
        ]}
        value={days}
        onChange={value => setDays([...value])}
      />
      <DateRange value={range} onChange={setRange} today="2026-11-22" />
      <DateRange value={{ from: '2026-11-22', to: '2026-11-01' }} onChange={setRange} today="2026-11-22" />
      <RecipientPicker
        value={recipients}
        onChange={setRecipients}
        find={find}
        tags={[{ value: 1, label: 'VIP', color: '#b97d0a' }]}
        count={1712}
        warning="Todos os contatos recebem: o número pode ser bloqueado."
      />
      <RecipientPicker
        value={{ by: 'all', contacts: [], tagIds: [] }}
        onChange={setRecipients}
        find={find}
        tags={[]}
        count={3825}
        warning="Todos os contatos recebem: o número pode ser bloqueado."
      />
      <Picker value={[]} onChange={() => undefined} find={find} placeholder="Nome ou número" />
      <p className="m-0">
        Pode usar <MonoChip>{'{{name}}'}</MonoChip>
      </p>
    </Sheet>
  )
}

function Settings() {
  const idle = () => undefined
  return (
    <Sheet>
      <div className="rounded-card border border-line bg-surface">
        <SettingRow
          name="Mostrar todos os atendimentos"
          hint="Atendentes veem os dos colegas."
          since="Otávio mudou em 12/11 · padrão: desligado"
          search="atendimentos"
          saved="Salvo às 14:31"
        >
          {ids => <Bare ids={ids} is />}
        </SettingRow>
        <SettingRow
          name="Só administradores veem sem fila"
          hint="Quem não tem fila não aparece para a equipe."
          dryRun={{
            text: 'Ao ligar: 14 atendimentos deixam de aparecer para 3 pessoas',
            action: 'Ligar',
            onSee: idle,
            onKeep: idle,
            onChange: idle,
          }}
        >
          {ids => <Bare ids={ids} is={false} />}
        </SettingRow>
      </div>
    </Sheet>
  )
}

function Bare({ is }: { readonly ids: object; readonly is: boolean }) {
  return <Switch bare label={is ? 'Ligado' : 'Desligado'} checked={is} onChange={() => undefined} />
}

function Jobs() {
  const idle = () => undefined
  const jobs: readonly Job[] = [
    aJob(1, { state: 'waiting' }),
    aJob(2, {
      state: 'running',
      done: 3120,
      total: 8400,
      result: { url: null, expiresAt: null, name: null, counts: { failed: 4 } },
    }),
    aJob(3, {
      state: 'done',
      result: { url: null, expiresAt: '2026-11-23T15:00:00.000Z', name: 'contatos.xlsx', counts: {} },
    }),
    aJob(4, { state: 'done', result: { url: null, expiresAt: null, name: 'erros.xlsx', counts: { failed: 7 } } }),
    aJob(5, { state: 'failed', error: 'ERR_NO_SPACE' }),
    aJob(6, { state: 'cancelled' }),
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

function aJob(id: number, part: Partial<Job>): Job {
  const nothing = { done: 0, total: null, result: null, error: null, endedAt: null }
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
function Import() {
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
      look={lookAt}
      actionOf={count => `Importar ${count} contatos`}
      begin={async () => undefined}
      onClose={() => undefined}
    />
  )
}

async function lookAt() {
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

function Charts() {
  const hours = [4, 9, 14, 22, 18, 12, 27, 31, 20, 8].map((value, index) => ({ name: `${8 + index}h`, value }))
  const queues = ['Financeiro', 'Comercial', 'Suporte', 'Entregas', 'Compras', 'RH', 'Outra'].map((name, index) => ({
    name,
    value: 40 - index * 5,
  }))
  const bands = ['#c4473b', '#e08a4a', '#e6be55', '#7fb88a', '#1b7a52'].map((color, index) => ({
    color,
    name: `Faixa ${index}`,
  }))
  return (
    <Sheet>
      <BarChart
        title="Atendimentos por hora: pico às 15h, com 31"
        unit="atendimentos"
        values={hours}
        resting={['12h', '13h']}
      />
      <RingChart title="Filas: Financeiro tem mais, 40" unit="tickets" values={queues} />
      <RingChart title="Conexões: nada ainda" unit="tickets" values={[]} />
      <Gauge title="Satisfação" value={4.4} most={5} bands={bands} words="Ótimo · 4,4 de 5" />
    </Sheet>
  )
}

function Phone() {
  return (
    <Sheet>
      <PhonePreview
        label="Como chega"
        name="Distribuidora São José"
        messages={[
          { id: 1, isOurs: true, text: 'Bom dia, Lúcia! Seu pedido sai hoje.', time: '09:12' },
          { id: 2, isOurs: false, text: 'Que bom, obrigada', time: '09:14' },
        ]}
      />
    </Sheet>
  )
}

function Sheet({ children }: { readonly children: ReactNode }) {
  return <div className="grid max-w-[744px] gap-5 p-6 max-sm:p-4">{children}</div>
}
