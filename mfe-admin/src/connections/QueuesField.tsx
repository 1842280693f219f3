import type { Queue } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { MultiSelect } from '@balcao/ui/parts'
import { type Form, FormField } from '@balcao/ui/screens'
import type { ConnectionFields } from './form.ts'

export function QueuesField({
  form,
  queues,
}: {
  readonly form: Form<ConnectionFields>
  readonly queues: readonly Queue[]
}) {
  const t = useTexts('connections')
  return (
    <FormField form={form} name="queueIds" hint={queues.length === 0 ? t('form.noQueues') : undefined}>
      {field => (
        <MultiSelect
          {...field}
          options={queues.map(queue => ({ value: queue.id, label: queue.name, color: queue.color }))}
          disabled={queues.length === 0}
        />
      )}
    </FormField>
  )
}
