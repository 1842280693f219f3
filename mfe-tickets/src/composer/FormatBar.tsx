// WhatsApp's formatting as buttons.
import { useTexts } from '@balcao/ui/i18n'
import { IconButton } from '@balcao/ui/parts'
import { Bold, Code, Italic, List, ListOrdered, Strikethrough, TextQuote } from 'lucide-react'
import { FORMATS, type Format } from './formats.ts'
import './late.ts'

const ICONS = {
  bold: Bold,
  italic: Italic,
  strike: Strikethrough,
  code: Code,
  bullets: List,
  numbers: ListOrdered,
  quote: TextQuote,
}

export default function FormatBar({ onFormat }: { readonly onFormat: (how: Format) => void }) {
  const t = useTexts('tickets')
  return (
    <div className="k-format" role="toolbar" aria-label={t('composer.formatting')}>
      {FORMATS.map(({ id, how, shortcut }) => (
        <IconButton
          key={id}
          icon={ICONS[id]}
          size="small"
          label={t(`composer.format.${id}`)}
          shortcut={shortcut}
          tooltipSide="above"
          // The selection in the field must outlive the press.
          onPointerDown={event => event.preventDefault()}
          onClick={() => onFormat(how)}
        />
      ))}
    </div>
  )
}
