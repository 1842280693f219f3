// A stretch of one line of WhatsApp text: in messages, rows, quotes and what was found.
import type { Inline } from '@balcao/contract/messages/whatsapp-text'
import type { ReactNode } from 'react'

interface InlineTextProps {
  readonly parts: readonly Inline[]
  /** False writes addresses as plain words, as in a list row. */
  readonly links?: boolean
  /** Draws the words that are no code and no address. */
  readonly renderWords?: (text: string) => ReactNode
}

/** A stretch of one line. */
export function InlineText({ parts, ...how }: InlineTextProps) {
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
    <Part key={index} part={part} {...how} />
  ))
}

const TAGS = { bold: 'strong', italic: 'em', strike: 's' } as const

function Part({ part, ...how }: Omit<InlineTextProps, 'parts'> & { readonly part: Inline }) {
  const { links = true, renderWords } = how
  switch (part.kind) {
    case 'text':
      return renderWords ? renderWords(part.text) : part.text
    case 'link':
      return links ? (
        <a href={part.href} target="_blank" rel="noopener noreferrer nofollow">
          {part.text}
        </a>
      ) : (
        part.text
      )
    case 'code':
      return <code className="m-code">{part.text}</code>
    default: {
      const Tag = TAGS[part.kind]
      return (
        <Tag>
          <InlineText parts={part.children} {...how} />
        </Tag>
      )
    }
  }
}
