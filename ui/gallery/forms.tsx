// A form in a dialog, and the fields and settings it may hold.
import { useEffect, useState } from 'react'
import { Switch, TextInput } from '../src/kit/parts/index.ts'
import {
  CheckChips,
  ColorField,
  DateRange,
  FileField,
  FoldedSection,
  FormDialog,
  FormField,
  FormSection,
  MonoChip,
  Picker,
  RecipientPicker,
  RowsField,
  SettingRow,
  useForm,
} from '../src/kit/screens/index.ts'
import { Sheet } from './Sheet.tsx'

interface Form {
  readonly name: string
  readonly number: string
  readonly color: string
  readonly file: File | string | null
}

export const EMPTY: Form = { name: '', number: '', color: '#2c53a4', file: null }

interface ContactFormProps {
  readonly start: Form
  readonly now?: Form
  readonly docked?: boolean
  readonly tried?: boolean
}

export function ContactForm({ start, now, docked, tried }: ContactFormProps) {
  const form = useForm<Form, unknown>({
    texts: 'gallery',
    start,
    now,
    faultsOf: ({ name }) => ({ name: name.length < 2 ? 'field.tooShort' : undefined }),
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

export function Fields() {
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
        tags={[]}
        warning={{ title: 'Para todos pode custar o número.', text: 'O WhatsApp pode tratar como spam.' }}
      />
      <Picker value={[]} onChange={() => undefined} find={find} placeholder="Nome ou número" />
      <p className="m-0">
        Pode usar <MonoChip>{'{{name}}'}</MonoChip>
      </p>
    </Sheet>
  )
}

export function Settings() {
  const idle = () => undefined
  return (
    <Sheet>
      <div className="divide-y divide-line rounded-card border border-line bg-surface">
        <SettingRow
          name="Mostrar todos os atendimentos"
          hint="Atendentes veem os dos colegas."
          since="Otávio mudou em 12/11 · padrão: desligado"
          marked={['atendimentos']}
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
            people: 'Bruna deixa de ver 9, 2 esperando',
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
