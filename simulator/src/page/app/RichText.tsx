// Text as messaging apps format it: *bold*, _italic_, ~struck~ and the signature of an agent on the first line.
import { Fragment } from 'react'

const MARKS = /(\*[^*\n]+\*|_[^_\n]+_|~[^~\n]+~)/

export function RichText({ text }: { text: string }) {
  const signed = /^\*([^*\n]{1,60}):?\*:?\s*\n([\s\S]+)$/.exec(text)
  return (
    <span className="text">
      {signed && <b className="author">{signed[1]?.replace(/:$/, '')}</b>}
      {renderFormatted(signed?.[2] ?? text)}
    </span>
  )
}

function renderFormatted(text: string) {
  return text.split(MARKS).map((part, index) => {
    const key = `${index}${part}`
    const inner = part.slice(1, -1)
    if (index % 2 === 0) return <Fragment key={key}>{part}</Fragment>
    if (part.startsWith('*')) return <b key={key}>{inner}</b>
    return part.startsWith('_') ? <i key={key}>{inner}</i> : <s key={key}>{inner}</s>
  })
}
