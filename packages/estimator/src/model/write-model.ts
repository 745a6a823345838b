import type { SavedModel } from './saved-model.js'

/**
 * A model as JSON text, to be kept in a file or a database; `readModel` reads it back.
 *
 * @example
 * await writeFile('model.json', writeModel(fitTable(columns, { target: 'price' }).model))
 */
export function writeModel(model: SavedModel): string {
  return `${JSON.stringify(model, undefined, 2)}\n`
}
