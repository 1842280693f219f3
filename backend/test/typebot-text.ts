// Formatted text as Typebot sends it.

/** A paragraph. */
export const p = (...children: readonly unknown[]) => ({ type: 'p', children })
/** A piece of it, with marks such as `bold`. */
export const b = (text: string, ...marks: readonly string[]) => ({
  text,
  ...Object.fromEntries(marks.map(mark => [mark, true])),
})
