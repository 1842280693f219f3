import type { Question } from '@balcao/contract'
import { questionRules } from '@balcao/contract/kit/forms'
import { LIMITS } from '@balcao/contract/kit/limits'
import { api } from '@balcao/ui/api'
import { showErrorToast, useQuery } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Checkbox, Select, TextArea, TextInput } from '@balcao/ui/parts'
import { FormDialog, FormField, type RowFormProps, useRowForm } from '@balcao/ui/screens'
import { toFields } from './form.ts'

/** Adds or changes a question of the bot (spec 3 §2, §5). */
export function QuestionForm(props: RowFormProps<Question>) {
  const { row, onClose } = props
  const t = useTexts('questions')
  const queues = useQuery('queues', signal => api('GET /queue', { signal }), showErrorToast).last ?? []
  const form = useRowForm({
    ...props,
    texts: 'questions',
    fieldsOf: toFields,
    rules: questionRules,
    fieldOf: { ERR_NO_QUEUE_FOUND: 'queueId', ERR_TOO_MANY_QUESTIONS: 'pergunta' },
    save(fields, _progress, version, clientId) {
      if (!row) return api('POST /pergunta', { body: { ...fields, clientId } })
      return api('PUT /pergunta/:id', { params: { id: row.id }, body: { ...fields, version } })
    },
  })
  const { openTicket, queueId } = form.fields
  // A queue that is on its way is called as the row has it.
  const known = row?.queue && !queues.some(({ id }) => id === row.queue?.id) ? [row.queue] : []
  const options = [...known, ...queues].map(({ id, name }) => ({ value: id, label: name }))
  return (
    <FormDialog form={form} onClose={onClose}>
      <FormField form={form} name="pergunta" most={LIMITS.question[1]} hint={t('form.questionHint')} required>
        {field => <TextInput {...field} autoComplete="off" maxLength={LIMITS.question[1]} data-autofocus="" />}
      </FormField>
      <FormField form={form} name="resposta" hint={t('form.answerHint', PLACEHOLDERS)} required>
        {field => <TextArea {...field} rows={4} maxRows={10} maxLength={LIMITS.questionAnswer[1]} />}
      </FormField>
      <FormField form={form} name="queueId" hint={t(openTicket ? 'form.queueHintOpen' : 'form.queueHint')}>
        {field => <Select {...field} options={options} clearable placeholder={t('form.noQueue')} />}
      </FormField>
      <Checkbox checked={openTicket} onChange={checked => form.set('openTicket', checked)}>
        {t('form.openTicket')}
        <span className="block text-small text-muted">{t(queueId === null ? 'form.opensAsked' : 'form.opens')}</span>
      </Checkbox>
    </FormDialog>
  )
}

/** The names in braces are what a person types, not values to fill in here. */
const PLACEHOLDERS = Object.fromEntries(['name', 'queue', 'date'].map(name => [name, `{{${name}}}`]))
