import { findSearchMarks } from '@balcao/contract/kit/search'

interface MarkedProps {
  readonly text: string
  readonly words: readonly string[]
}

/** A text with the words that were looked for marked. */
export function Marked({ text, words }: MarkedProps) {
  const marks = findSearchMarks(text, words)
  return (
    <>
      {marks.map(([from, to], index) => (
        <span key={from}>
          {text.slice(marks[index - 1]?.[1] ?? 0, from)}
          <mark className="f-mark">{text.slice(from, to)}</mark>
        </span>
      ))}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </>
  )
}
