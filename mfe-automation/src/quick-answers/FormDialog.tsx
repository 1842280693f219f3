import type { QuickAnswer } from '@balcao/contract'
import { isApiError } from '@balcao/ui/api'
import { errorText, hasText, textsOf, useTexts } from '@balcao/ui/i18n'
import { Dialog, Field, FormButtons, TextArea, TextInput, toast } from '@balcao/ui/parts'
import { useState } from 'react'
import { saveAnswer } from './calls.ts'
import { type Field as FieldName, type Fields, fieldsOf, type Problems, problemsOf } from './form.ts'
import { MediaField } from './MediaField.tsx'

interface FormDialogProps {
  /** Null adds a new one. */
  readonly answer: QuickAnswer | null
  readonly onSaved: (answer: QuickAnswer) => void
  readonly onClose: () => void
}

const FIELD_OF: Readonly<Record<string, FieldName>> = {
  ERR_DUPLICATED_SHORTCUT: 'shortcut',
  ERR_FILE_TYPE: 'file',
  ERR_FILE_TOO_LARGE: 'file',
}

/** Adds or changes a quick answer (spec 3 §2, §5). */
export function FormDialog({ answer, onSaved, onClose }: FormDialogProps) {
  const t = useTexts('automation')
  const [fields, setFields] = useState<Fields>(() => fieldsOf(answer))
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<Problems>({})
  const [part, setPart] = useState<number | null>(null)
  const problems = problemsOf(fields)
  const shown = { ...refused, ...(tried ? problems : { file: problems.file ?? refused.file }) }
  const mediaName = fields.file?.name ?? (fields.dropMedia ? null : (answer?.mediaName ?? null))

  function change(changed: Partial<Fields>) {
    setFields(old => ({ ...old, ...changed }))
    setRefused({})
  }

  async function save() {
    setTried(true)
    if (Object.keys(problems).length > 0) return focusFirstProblem()
    setPart(0)
    try {
      onSaved(await saveAnswer(answer, fields, setPart))
      toast.success(t('saved'))
      return onClose()
    } catch (error) {
      const found = refusedFields(error)
      setRefused(found)
      if (Object.keys(found).length === 0) toast.error(errorText(error))
      else focusFirstProblem()
    }
    setPart(null)
  }

  return (
    <Dialog
      title={t(answer ? 'form.editTitle' : 'form.addTitle')}
      width={520}
      onClose={onClose}
      onSubmit={() => void save()}
      className="is-answer-form [&_.b-dialog-foot]:sticky [&_.b-dialog-foot]:-bottom-4 [&_.b-dialog-foot]:rounded-b-dialog [&_.b-dialog-foot]:bg-raised"
      footer={
        <>
          {fields.file && part !== null && (
            <span role="status" className="mr-auto text-small text-text-2">
              {t('form.sending', { percent: Math.round(part * 100) })}
            </span>
          )}
          <FormButtons action={t(answer ? 'form.save' : 'form.create')} busy={part !== null} onClose={onClose} />
        </>
      }
    >
      <div className="grid gap-4">
        <Field label={t('form.shortcut')} hint={t('form.shortcutHint')} error={problemText(shown.shortcut)} required>
          <TextInput
            value={fields.shortcut}
            onChange={shortcut => change({ shortcut })}
            autoComplete="off"
            autoCapitalize="none"
            data-autofocus=""
          />
        </Field>
        <Field label={t('form.message')} hint={messageHint()} error={problemText(shown.message)} required>
          <TextArea value={fields.message} onChange={message => change({ message })} rows={5} maxRows={12} />
        </Field>
        <MediaField
          name={mediaName}
          problem={problemText(shown.file)}
          onChoose={file => change({ file, dropMedia: false })}
          onDrop={() => change({ file: null, dropMedia: true })}
        />
      </div>
    </Dialog>
  )
}

/** What the server refused, at the field it is about. */
function refusedFields(error: unknown): Problems {
  if (!isApiError(error)) return {}
  const field = FIELD_OF[error.code]
  if (field) return { [field]: error.code }
  const paths = ['shortcut', 'message'] as const
  return Object.fromEntries(paths.flatMap(path => (error.field(path) ? [[path, error.field(path)]] : [])))
}

/** The names in braces are what a person types, not values to fill in here. */
function messageHint() {
  const names = ['user', 'queue', 'name', 'number', 'date', 'time'].map(name => [name, `{{${name}}}`])
  return textsOf('automation')('form.messageHint', Object.fromEntries(names))
}

function problemText(problem: string | undefined) {
  if (!problem) return null
  return hasText('automation', `problem.${problem}`) ? textsOf('automation')(`problem.${problem}`) : problem
}

function focusFirstProblem() {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.is-answer-form [aria-invalid="true"]')?.focus())
}
