import { type QueueBrief, type QuickAnswer, truncateText } from '@balcao/contract'
import { quickAnswerRules } from '@balcao/contract/kit/forms'
import { getScope, QUICK_ANSWER_EXTENSIONS } from '@balcao/contract/quick-answers/quick-answer'
import { api, upload } from '@balcao/ui/api'
import { showErrorToast, useQuery } from '@balcao/ui/ask'
import { addTexts, getTexts, useTexts } from '@balcao/ui/i18n'
import { Chip, Icon, Select, TextArea, TextInput } from '@balcao/ui/parts'
import {
  type Column,
  DataPage,
  FileField,
  FileLabel,
  FilterButton,
  FormDialog,
  FormField,
  type LiveRowOptions,
  MonoChip,
  type RowFormProps,
  subscribeToRows,
  useRowForm,
  useRows,
} from '@balcao/ui/screens'
import { useUser } from '@balcao/ui/session'
import { Check, Lock, Zap } from 'lucide-react'
import { useMemo } from 'react'
import pt from '../../locales/quick-answers/pt.json'
import { PLACEHOLDERS, toFields, toFormData, validateFields } from './form.ts'
import { type AnswerQuery, compareByShortcut, isQuickAnswerMatch } from './list.ts'

addTexts('quickAnswers', {
  pt,
  en: () => import('../../locales/quick-answers/en.json'),
  es: () => import('../../locales/quick-answers/es.json'),
})

const ANSWERS: LiveRowOptions<QuickAnswer, AnswerQuery> = {
  start: { search: '', scope: null },
  order: compareByShortcut,
  matches: isQuickAnswerMatch,
  async page({ search, scope }, cursor, signal) {
    const query = { searchParam: search || undefined, scope: scope ?? undefined, cursor: cursor ?? undefined }
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
  const t = useTexts('quickAnswers')
  const rows = useRows(ANSWERS)
  const queues = useQueues()
  const owners = useScopes(queues)
  const columns = useMemo(
    () => [...COLUMNS, { id: 'scope', width: 'w-40', cell: (row: QuickAnswer) => renderScope(row, queues) }],
    [queues],
  )
  return (
    <DataPage
      texts="quickAnswers"
      icon={Zap}
      rows={rows}
      columns={columns}
      filters={
        <FilterButton
          label={t('column.scope')}
          options={owners}
          value={rows.filters.scope}
          onChange={scope => rows.filter({ scope })}
        />
      }
      nameOf={answer => answer.shortcut}
      cardOf={row => ({
        title: <MonoChip>/{row.shortcut}</MonoChip>,
        text: row.message,
        note: (
          <>
            {getScope(row) !== 'team' && renderScope(row, queues)}
            {row.mediaName && <FileLabel name={row.mediaName} />}
          </>
        ),
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
  const queues = useQueues()
  const known = row && getScope(row)
  const all = useScopes(queues)
  const isKnown = known === null || all.some(({ value }) => value === known)
  const scopes = [
    ...all.map(option => ({ ...option, disabled: option.value === 'own' && known !== null && known !== 'own' })),
    ...(isKnown || queues === null ? [] : [{ value: known, label: t('scope.gone') }]),
  ]
  const form = useRowForm({
    ...props,
    texts: 'quickAnswers',
    fieldsOf: toFields,
    rules: quickAnswerRules,
    faultsOf: validateFields,
    atOnce: ['media'],
    fieldOf: { ERR_DUPLICATED_SHORTCUT: 'shortcut', ERR_FILE_TYPE: 'media', ERR_FILE_TOO_LARGE: 'media' },
    save(fields, progress, version, clientId) {
      const body = toFormData(fields, row, version)
      if (!row) body.set('clientId', clientId)
      if (!row) return upload('POST /quickAnswers', { body, ...progress })
      return upload('PUT /quickAnswers/:id', { params: { id: row.id }, body, ...progress })
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
      <FormField form={form} name="scope" hint={t('form.scopeHint')}>
        {field => <Select {...field} options={scopes} onChange={scope => scope && field.onChange(scope)} />}
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

function useQueues(): readonly QueueBrief[] | null {
  return useQuery('queues', signal => api('GET /queue', { signal }), showErrorToast).last
}

/** Whose this person's answers may be. */
function useScopes(queues: readonly QueueBrief[] | null) {
  const t = useTexts('quickAnswers')
  const { profile, queueIds } = useUser()
  const own = (queues ?? []).filter(({ id }) => profile === 'admin' || queueIds.includes(id))
  return [
    { value: 'team', label: t('scope.team') },
    { value: 'own', label: t('scope.own') },
    ...own.map(({ id, name, color }) => ({ value: String(id), label: name, color })),
  ]
}

function renderScope(row: QuickAnswer, queues: readonly QueueBrief[] | null) {
  const t = getTexts('quickAnswers')
  if (row.userId !== null) return <Chip icon={Lock}>{t('scope.own')}</Chip>
  if (row.queueId === null) return <span className="text-muted">{t('scope.team')}</span>
  const queue = queues?.find(({ id }) => id === row.queueId)
  return queue ? <Chip color={queue.color}>{queue.name}</Chip> : queues && <Chip>{t('scope.gone')}</Chip>
}
