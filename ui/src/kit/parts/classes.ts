/** Joins class names, leaving out what is false. `classes('b-tab', chosen && 'is-chosen')` */
export function joinClasses(...names: readonly (string | false | null | undefined)[]) {
  return names.filter(Boolean).join(' ')
}
