/** The only module that imports the package (docs/decisions/cel.md). */
export {
  type ASTNode,
  Environment,
  EvaluationError,
  Optional,
  ParseError,
  TypeError as TypingError,
} from '@marcbachmann/cel-js';
