// Draws parsed WhatsApp text. Only elements, never HTML: what a customer writes cannot become markup.

import { type Inline, parseBody, type TextBlock } from '@balcao/contract/messages/whatsapp-text'
import { useTexts } from '@balcao/ui/i18n'
import { Fragment, memo } from 'react'
import { useFolded } from './fold.ts'

/** A whole body, line by line; a long one folded. */
export const FormattedText = memo(function FormattedText({ text }: { readonly text: string }) {
  const t = useTexts('tickets')
  const { shown, unfold } = useFolded(text)
  const blocks = parseBody(shown)
  return (
    <span className="m-text" dir="auto">
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text never move
        <Fragment key={index}>
          {index > 0 && block.kind === 'line' && blocks[index - 1]?.kind === 'line' && '\n'}
          <OneBlock block={block} />
        </Fragment>
      ))}
      {unfold && (
        <>
          {'… '}
          <button type="button" className="m-unfold" onClick={unfold}>
            {t('unfold')}
          </button>
        </>
      )}
    </span>
  )
})

function OneBlock({ block }: { readonly block: TextBlock }) {
  switch (block.kind) {
    case 'code':
      return <code className="m-code-block">{block.text}</code>
    case 'line':
      return <InlineText parts={block.children} />
    case 'quote':
      return (
        <span className="m-quote-line">
          <InlineText parts={block.children} />
        </span>
      )
    case 'bullet':
    case 'number':
      return (
        <span className="m-item">
          <span>{block.kind === 'number' ? `${block.n}.` : '•'}</span>
          <span>
            <InlineText parts={block.children} />
          </span>
        </span>
      )
  }
}

/** A stretch of one line. `links` false writes addresses as plain words, as in a list row. */
export function InlineText({ parts, links = true }: { readonly parts: readonly Inline[]; readonly links?: boolean }) {
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
    <Part key={index} part={part} links={links} />
  ))
}

const TAGS = { bold: 'strong', italic: 'em', strike: 's' } as const

function Part({ part, links }: { readonly part: Inline; readonly links: boolean }) {
  switch (part.kind) {
    case 'text':
      return part.text
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
          <InlineText parts={part.children} links={links} />
        </Tag>
      )
    }
  }
}
