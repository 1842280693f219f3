import type { Queue, User, UserDetails } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { Select, toast } from '@balcao/ui/parts'
import { FormDialog, FormField, useForm } from '@balcao/ui/screens'
import type { TeamMember } from './list.ts'

interface TransferTicketsProps {
  readonly person: TeamMember
  readonly people: readonly User[]
  readonly queues: readonly Queue[]
  readonly live: UserDetails['liveTickets']
  /** Looks again who has what. */
  readonly onDone: () => void
  readonly onClose: () => void
}

interface Fields {
  readonly queueId: number | null
  readonly substituteId: number | null
}

/** Hands the live tickets somebody has in a queue to somebody else of that queue, by hand (spec 2 §7). */
export function TransferTickets({ person, people, queues, live, onDone, onClose }: TransferTicketsProps) {
  const t = useTexts('users')
  const waiting = live.flatMap(({ queueId, tickets }) => (queueId === null ? [] : [{ queueId, tickets }]))
  const only = waiting.length === 1 ? waiting[0] : undefined
  const form = useForm<Fields, { tickets: number }>({
    texts: 'users',
    start: { queueId: only?.queueId ?? null, substituteId: null },
    faultsOf: ({ queueId, substituteId }) => ({
      ...(queueId === null && { queueId: 'schema.fieldRequired' }),
      ...(substituteId === null && { substituteId: 'schema.fieldRequired' }),
    }),
    save: ({ queueId, substituteId }) =>
      api('POST /users/transfer/:id', {
        params: { id: person.id },
        body: { queueId: queueId ?? 0, substituteId: substituteId ?? 0 },
      }),
    onSaved({ tickets }) {
      toast.success(t('transfer.done', { count: tickets, name: people.find(isChosen)?.name ?? '' }))
      onDone()
      onClose()
    },
  })
  const { queueId, substituteId } = form.fields
  const isChosen = ({ id }: User) => id === substituteId
  const able = people.filter(
    ({ id, active, queueIds }) => active && id !== person.id && queueIds.includes(queueId ?? 0),
  )
  const count = waiting.find(row => row.queueId === queueId)?.tickets ?? 0
  const nameOf = (id: number) => queues.find(queue => queue.id === id)?.name ?? ''
  return (
    <FormDialog
      form={form}
      title={t('transfer.title', { name: person.name })}
      intro={t('transfer.intro')}
      width={440}
      action={t('transfer.action', { count })}
      onClose={onClose}
    >
      <FormField form={form} name="queueId" required>
        {({ value, onChange }) => (
          <Select
            options={waiting.map(row => ({
              value: row.queueId,
              label: nameOf(row.queueId),
              note: String(row.tickets),
            }))}
            value={value}
            onChange={next => {
              onChange(next)
              form.set('substituteId', null)
            }}
          />
        )}
      </FormField>
      <FormField
        form={form}
        name="substituteId"
        hint={queueId !== null && able.length === 0 ? t('transfer.nobody') : undefined}
        required
      >
        {field => (
          <Select
            {...field}
            options={able.map(({ id, name }) => ({ value: id, label: name }))}
            disabled={able.length === 0}
          />
        )}
      </FormField>
    </FormDialog>
  )
}
