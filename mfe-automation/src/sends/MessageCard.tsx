import { useTexts } from '@balcao/ui/i18n'
import { Card, Checkbox, TextArea } from '@balcao/ui/parts'
import { FileField, type Form, FormField } from '@balcao/ui/screens'
import { useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { formatOptOutSentence, PLACEHOLDERS, type SendFields, toSendText, withWord } from './form.ts'

interface MessageCardProps {
  readonly form: Form<SendFields>
  /** The word that opts out; '' where there is none. */
  readonly word: string
}

/** Kinds of files a message may carry. */
const ACCEPTED = ['jpg', 'jpeg', 'png', 'pdf', 'txt', 'mp4']

/** What it says: the words, those that are filled in for each contact, a file, and the way out. */
export function MessageCard({ form, word }: MessageCardProps) {
  const t = useTexts('sends')
  const box = useRef<HTMLTextAreaElement>(null)
  const { mensagem, wayOut } = form.fields
  // Before the question that led here gives the focus back: what is typed at once is the message.
  useLayoutEffect(() => box.current?.focus({ preventScroll: true }), [])

  function insert(placeholder: string) {
    const field = box.current
    const [from, to] = [field?.selectionStart ?? mensagem.length, field?.selectionEnd ?? mensagem.length]
    const { text, caret } = withWord(mensagem, from, to, placeholder)
    flushSync(() => form.set('mensagem', text))
    field?.focus()
    field?.setSelectionRange(caret, caret)
  }

  return (
    <Card className="p-5">
      <div className="grid gap-3">
        <FormField
          form={form}
          name="mensagem"
          hint={mensagem && t('form.letters', { count: toSendText(form.fields, word).length })}
          required
        >
          {field => <TextArea {...field} ref={box} rows={5} maxRows={14} />}
        </FormField>
        <div className="flex flex-wrap items-center gap-x-2 gap-y-2">
          <span className="text-small text-text-2">{t('form.insert')}</span>
          {PLACEHOLDERS.map(placeholder => (
            <button
              key={placeholder}
              type="button"
              className="rounded-tag bg-primary-tint px-1.5 py-0.5 font-mono text-small text-primary-text hover:ring-1 hover:ring-primary max-sm:min-h-11 max-sm:px-2.5"
              aria-label={`{{${placeholder}}}: ${t('form.insertWord', { word: t(`word.${placeholder}`) })}`}
              title={t(`word.${placeholder}`)}
              onClick={() => insert(placeholder)}
            >
              {`{{${placeholder}}}`}
            </button>
          ))}
        </div>
        {word !== '' && (
          <Checkbox checked={wayOut} onChange={on => form.set('wayOut', on)}>
            <span className="grid">
              {t('form.wayOut')}
              <span className="text-small text-text-2">{formatOptOutSentence(word)}</span>
            </span>
          </Checkbox>
        )}
        <FormField form={form} name="media">
          {field => <FileField {...field} accept={ACCEPTED} />}
        </FormField>
      </div>
    </Card>
  )
}
