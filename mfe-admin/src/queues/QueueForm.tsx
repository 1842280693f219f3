import type { Queue } from '@balcao/contract'
import { queueRules, queueTargetRules } from '@balcao/contract/kit/forms'
import { LIMITS } from '@balcao/contract/kit/limits'
import { api } from '@balcao/ui/api'
import { showErrorToast, usePeople } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { HeldLetters, MultiSelect, TextArea, TextInput } from '@balcao/ui/parts'
import { ColorField, FormDialog, FormField, type RowFormProps, useDialogData, useRowForm } from '@balcao/ui/screens'
import { listTurnTakers, toFields } from './form.ts'

/** Adds or changes a queue (spec 2 §2, §5): first it is looked which colours are taken, and who of it takes turns now. */
export function QueueForm(props: RowFormProps<Queue>) {
  const { row, rows, onClose } = props
  const all = useDialogData('queues', load, onClose).last
  if (!all) return <HeldLetters />
  const others = all.filter(({ id }) => id !== row?.id)
  return <OpenForm {...props} row={row && (rows.find(row.id) ?? row)} taken={others.map(({ color }) => color)} />

  async function load(signal: AbortSignal) {
    const found = await api('GET /queue', { signal })
    // Who loses a queue takes no turns in it any more, and no event of the queue tells that.
    const own = found.find(({ id }) => id === row?.id)
    if (own) rows.put(own)
    return found
  }
}

const RULES = { ...queueRules, ...queueTargetRules }

function OpenForm({ taken, ...props }: RowFormProps<Queue> & { readonly taken: readonly string[] }) {
  const { row, onClose } = props
  const form = useRowForm({
    ...props,
    texts: 'queues',
    fieldsOf: queue => toFields(queue, taken),
    rules: RULES,
    fieldOf: { ERR_QUEUE_COLOR_ALREADY_EXISTS: 'color', ERR_USER_NO_LINKED_IN_QUEUE: 'userIds' },
    save({ userIds, ...fields }, _progress, version, clientId) {
      if (!row) return api('POST /queue', { body: { ...fields, clientId } })
      const body = { ...fields, userIds: [...userIds], version }
      return api('PUT /queue/:id', { params: { id: row.id }, body })
    },
  })
  return (
    <FormDialog form={form} onClose={onClose}>
      <FormField form={form} name="name" required>
        {field => <TextInput {...field} autoComplete="off" maxLength={LIMITS.queueName[1]} data-autofocus="" />}
      </FormField>
      <div className="grid gap-4 sm:grid-cols-[1fr_9rem]">
        <FormField form={form} name="color" required>
          {field => <ColorField {...field} taken={taken} />}
        </FormField>
        <FormField form={form} name="customOrder">
          {field => <TextInput {...field} inputMode="numeric" autoComplete="off" maxLength={5} />}
        </FormField>
      </div>
      <FormField form={form} name="greetingMessage">
        {field => <TextArea {...field} rows={3} maxRows={8} />}
      </FormField>
      <div className="grid gap-4 sm:grid-cols-2">
        {(['firstAnswerMinutes', 'answerMinutes'] as const).map(name => (
          <FormField key={name} form={form} name={name}>
            {field => <TextInput {...field} inputMode="numeric" autoComplete="off" maxLength={5} />}
          </FormField>
        ))}
      </div>
      {row && <Turns form={form} queue={row} />}
    </FormDialog>
  )
}

type QueueFormState = Parameters<typeof FormDialog<ReturnType<typeof toFields>>>[0]['form']

/** Who of the queue takes turns when idle tickets are given out; nobody: everybody (decisions §22). */
function Turns({ form, queue }: { readonly form: QueueFormState; readonly queue: Queue }) {
  const t = useTexts('queues')
  const people = usePeople(showErrorToast).last
  const options = listTurnTakers(queue, people ?? [])
  const isEmpty = people !== null && options.length === 0
  return (
    <FormField form={form} name="userIds" hint={isEmpty ? t('form.nobody') : undefined}>
      {field => <MultiSelect {...field} options={options} disabled={isEmpty} placeholder={t('form.everybody')} />}
    </FormField>
  )
}
