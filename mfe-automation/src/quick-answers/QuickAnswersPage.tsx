import { type QuickAnswer, truncateText } from '@balcao/contract'
import { quickAnswerRules } from '@balcao/contract/kit/forms'
import { QUICK_ANSWER_EXTENSIONS } from '@balcao/contract/quick-answers/quick-answer'
import { api, upload } from '@balcao/ui/api'
import { addTexts, getTexts, useTexts } from '@balcao/ui/i18n'
import { Icon, TextArea, TextInput } from '@balcao/ui/parts'
import {
  type Column,
  DataPage,
  FileField,
  FileLabel,
  FormDialog,
  FormField,
  type LiveRowOptions,
  MonoChip,
  type RowFormProps,
  type RowQuery,
  subscribeToRows,
  useRowForm,
  useRows,
} from '@balcao/ui/screens'
import { Check, Zap } from 'lucide-react'
import pt from '../../locales/quick-answers/pt.json'
import { PLACEHOLDERS, toFields, toFormData, validateFields } from './form.ts'
import { compareByShortcut, isQuickAnswerMatch } from './list.ts'

addTexts('quickAnswers', {
  pt,
  en: () => import('../../locales/quick-answers/en.json'),
  es: () => import('../../locales/quick-answers/es.json'),
})

const ANSWERS: LiveRowOptions<QuickAnswer, RowQuery> = {
  start: { search: '' },
  order: compareByShortcut,
  matches: isQuickAnswerMatch,
  async page({ search }, cursor, signal) {
    const query = { searchParam: search || undefined, cursor: cursor ?? undefined }
    const { quickAnswers, ...end } = await api('GET /quickAnswers', { query, signal })
    return { rows: quickAnswers, ...end }
  },
  events: subscribeToRows('quickAnswer'),
}

const COLUMNS: readonly Column<QuickAnswer>[] = [
  { id: 'shortcut', width: 'w-[26%] max-w-60', cell: ({ shortcut }) => <MonoChip>/{shortcut}</MonoChip> },
  { id: 'media', width: 'w-24', cell: ({ mediaUrl }) => renderMediaMark(mediaUrl !== null) },
  {
    id: 'message',
    cell: ({ message, mediaName }) => (
      <span className="flex min-w-0 items-center gap-3">
        <bdi className="min-w-0 truncate" title={truncateText(message, 400)}>
          {message}
        </bdi>
        {mediaName && <FileLabel name={mediaName} />}
      </span>
    ),
  },
]

/** The page of quick answers (spec 3 §2): search, add, edit, delete; live. */
export default function QuickAnswersPage() {
  return (
    <DataPage
      texts="quickAnswers"
      icon={Zap}
      rows={useRows(ANSWERS)}
      columns={COLUMNS}
      nameOf={answer => answer.shortcut}
      cardOf={({ shortcut, message, mediaName }) => ({
        title: <MonoChip>/{shortcut}</MonoChip>,
        text: message,
        note: mediaName && <FileLabel name={mediaName} />,
      })}
      form={AnswerForm}
      remove={{
        call: id => api('DELETE /quickAnswers/:id', { params: { id } }),
        already: 'ERR_NO_QUICK_ANSWER_FOUND',
      }}
    />
  )
}

function AnswerForm(props: RowFormProps<QuickAnswer>) {
  const t = useTexts('quickAnswers')
  const { row, onClose } = props
  const form = useRowForm({
    ...props,
    texts: 'quickAnswers',
    fieldsOf: toFields,
    rules: quickAnswerRules,
    faultsOf: validateFields,
    atOnce: ['media'],
    fieldOf: { ERR_DUPLICATED_SHORTCUT: 'shortcut', ERR_FILE_TYPE: 'media', ERR_FILE_TOO_LARGE: 'media' },
    save(fields, onProgress, version, clientId) {
      const body = toFormData(fields, row, version)
      if (!row) body.set('clientId', clientId)
      if (!row) return upload('POST /quickAnswers', { body, onProgress })
      return upload('PUT /quickAnswers/:id', { params: { id: row.id }, body, onProgress })
    },
  })
  return (
    <FormDialog form={form} onClose={onClose}>
      <FormField form={form} name="shortcut" required>
        {field => <TextInput {...field} autoComplete="off" autoCapitalize="none" data-autofocus="" />}
      </FormField>
      <FormField form={form} name="message" hint={t('form.messageHint', PLACEHOLDERS)} required>
        {field => <TextArea {...field} rows={5} maxRows={12} />}
      </FormField>
      <FormField form={form} name="media">
        {field => <FileField {...field} accept={QUICK_ANSWER_EXTENSIONS} />}
      </FormField>
    </FormDialog>
  )
}

function renderMediaMark(has: boolean) {
  const t = getTexts('quickAnswers')
  if (!has) return <span className="b-only-read">{t('withoutMedia')}</span>
  return <Icon of={Check} size={16} label={t('withMedia')} className="text-ok" />
}
