// The page with a list, in every state.
import { FileDown, Pencil, Tag, Trash2, Upload, UserRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Avatar, Chip, Drawer, useNarrowerThan } from '../src/kit/parts/index.ts'
import {
  type Column,
  DataPage,
  FilterButton,
  type LiveRowOptions,
  type RowQuery,
  useRows,
  useSelection,
} from '../src/kit/screens/index.ts'

interface Contact {
  readonly id: number
  readonly name: string
  readonly number: string
  readonly tag: string | null
  readonly messages: number
  readonly version: number
}

const NAMES = ['Adega Serra Azul', 'Armazém do Zeca', 'Beatriz Camargo', 'Buffet Vila Rica', 'Cantina da Nena']
export const SOME = makeContacts(5)

export function makeContacts(count: number): Contact[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: NAMES[index % 5] + (index < 5 ? '' : ` ${index}`),
    number: `+55 31 98${String(112 + index)}-4030`,
    tag: index % 3 === 0 ? 'Recorrente' : null,
    messages: index * 41,
    version: 1,
  }))
}

export function answerPage(rows: readonly Contact[]) {
  return async () => ({ rows, nextCursor: null, count: rows.length })
}

export async function failNextPage(_query: RowQuery, cursor: string | null) {
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
  readonly page: LiveRowOptions<Contact, RowQuery>['page']
  readonly count?: number
  readonly typed?: string
  /** So many are chosen. */
  readonly chosen?: number
  readonly panel?: boolean
}

export function Contacts({ page, count, typed, chosen = 0, panel }: ContactsProps) {
  const [means] = useState<LiveRowOptions<Contact, RowQuery>>(() => ({
    start: { search: '' },
    order: (a, b) => a.id - b.id,
    matches: () => true,
    page: async (...args) => ({ ...(await page(...args)), ...(count ? { count } : {}) }),
    events: () => () => undefined,
  }))
  const rows = useRows(means)
  const isNarrow = useNarrowerThan('wide')
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
          <Drawer title="Histórico" width={440} over={isNarrow} onClose={idle}>
            <p className="p-4">O que aconteceu com este contato.</p>
          </Drawer>
        )
      }
    />
  )
}
