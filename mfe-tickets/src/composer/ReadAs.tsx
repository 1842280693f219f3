// How the customer will read what is being written, where that differs from the field: words in braces filled in, marks as looks.

import { hasMarks } from '@balcao/contract/messages/whatsapp-text'
import { useTexts } from '@balcao/ui/i18n'
import { memo } from 'react'
import { FormattedText } from '../message/FormattedText.tsx'
import { fillWords, type PlaceholderValues } from './wording.ts'

interface ReadAsProps {
  readonly text: string
  readonly words: () => PlaceholderValues | null
}

export const ReadAs = memo(function ReadAs({ text, words }: ReadAsProps) {
  const t = useTexts('tickets')
  const values = text.includes('{{') ? words() : null
  const filled = values ? fillWords(text, values) : text
  if (filled === text && !hasMarks(text)) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls here, and the keyboard must be able to scroll it
    <section className="k-read-as" aria-label={t('composer.readAs')} tabIndex={0}>
      <span className="k-read-as-head">{t('composer.readAs')}</span>
      <FormattedText text={filled.trim()} />
    </section>
  )
})
