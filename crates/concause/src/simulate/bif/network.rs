//! A Bayesian network with its tables, and samples of it.

use std::collections::BTreeMap;

use super::Error;
use super::parser::{Entry, Place, ProbabilityBlock, blocks};
use crate::dataset::Target;
use crate::simulate::recipe::check_size;
use crate::simulate::{GENERATOR, Random, Simulated, Truth, Variable};

/// The probabilities of a row may miss 1 by so much, as files are rounded; they are used in proportion.
const TOLERANCE: f64 = 0.01;
/// A larger table is taken for a mistake.
const MOST_CELLS: usize = 1 << 26;

/// A Bayesian network of discrete variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// The name in the file.
    pub name: String,
    /// The variables in the order of the file.
    pub nodes: Vec<Node>,
    /// The nodes, parents before children.
    order: Vec<usize>,
}

/// One variable of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Vec<String>,
    /// Its parents, by their places in [`Network::nodes`].
    pub parents: Vec<usize>,
    /// The probabilities of its values for each configuration of the parents, one configuration after the other, that
    /// of the last parent changing fastest.
    pub table: Vec<f64>,
}

impl Network {
    /// Reads a network from the text of a BIF file.
    pub fn parse(text: &str) -> Result<Network, Error> {
        let blocks = blocks(text)?;
        if blocks.variables.is_empty() {
            return Err(Error::new(1, "the file has no variable: is it a BIF file?"));
        }
        let mut places = BTreeMap::new();
        for (place, variable) in blocks.variables.iter().enumerate() {
            if places.insert(variable.name.as_str(), place).is_some() {
                return Err(Error::new(
                    variable.line,
                    format!("there is a second variable '{}'", variable.name),
                ));
            }
        }
        let mut given: Vec<Option<Given>> = blocks.variables.iter().map(|_| None).collect();
        for block in &blocks.probabilities {
            let place = |name: &String| {
                let unknown = || Error::new(block.line, format!("there is no variable '{name}'"));
                places.get(name.as_str()).copied().ok_or_else(unknown)
            };
            let family: Vec<usize> = block.names.iter().map(place).collect::<Result<_, _>>()?;
            let values: Vec<&[String]> =
                family.iter().map(|&node| blocks.variables[node].values.as_slice()).collect();
            if given[family[0]].is_some() {
                let sentence = format!("there is a second probability of '{}'", block.names[0]);
                return Err(Error::new(block.line, sentence));
            }
            let table = table(block, &values)?;
            given[family[0]] = Some(Given { line: block.line, parents: family[1..].to_vec(), table });
        }
        let mut nodes = Vec::new();
        let mut lines = Vec::new();
        for (variable, given) in blocks.variables.into_iter().zip(given) {
            let Some(Given { line, parents, table }) = given else {
                return Err(Error::new(variable.line, format!("'{}' has no probability", variable.name)));
            };
            nodes.push(Node { name: variable.name, values: variable.values, parents, table });
            lines.push(line);
        }
        let order = order(&nodes)
            .map_err(|node| Error::new(lines[node], format!("'{}' is its own ancestor", nodes[node].name)))?;
        Ok(Network { name: blocks.name, nodes, order })
    }

    /// Draws rows. The truth is the parents and children of the target, as single causes: those variables from which
    /// no others separate it.
    pub fn sample(&self, rows: usize, target: &Target, seed: u64) -> Result<Simulated, String> {
        let place = self.nodes.iter().position(|node| node.name == target.name);
        let place = place.ok_or_else(|| {
            format!("the network '{}' has no variable '{}' for the target", self.name, target.name)
        })?;
        check_size(rows, self.nodes.len())?;
        let node = &self.nodes[place];
        // A target without a 1 is refused before rows are drawn.
        Variable { name: node.name.clone(), values: node.values.clone(), codes: Vec::new() }
            .outcome(target.value.as_deref())?;
        let mut random = Random::new(seed);
        let mut codes: Vec<Vec<u16>> = vec![Vec::new(); self.nodes.len()];
        for &node in &self.order {
            let Node { values, parents, table, .. } = &self.nodes[node];
            codes[node] = (0..rows)
                .map(|row| {
                    let configuration = parents.iter().fold(0, |configuration, &parent| {
                        configuration * self.nodes[parent].values.len() + usize::from(codes[parent][row])
                    });
                    let first = configuration * values.len();
                    random.weighted(&table[first..first + values.len()]) as u16
                })
                .collect();
        }
        let variables: Vec<Variable> = self
            .nodes
            .iter()
            .zip(codes)
            .map(|(node, codes)| Variable { name: node.name.clone(), values: node.values.clone(), codes })
            .collect();
        let truth = Truth {
            target: target.label(),
            causes: self.neighbours(place).map(|node| vec![self.nodes[node].name.clone()]).collect(),
            nominal: variables
                .iter()
                .filter(|variable| variable.one().is_none() && variable.name != target.name)
                .map(|variable| variable.name.clone())
                .collect(),
            generator: GENERATOR,
            recipe: self.name.clone(),
            seed,
            parameters: vec![("rows".into(), rows.to_string())],
        };
        Ok(Simulated { variables, target: target.clone(), truth })
    }

    /// The parents and children of a node, in the order of the file.
    fn neighbours(&self, node: usize) -> impl Iterator<Item = usize> {
        let related = move |&other: &usize| {
            self.nodes[node].parents.contains(&other) || self.nodes[other].parents.contains(&node)
        };
        (0..self.nodes.len()).filter(related)
    }
}

/// What a block says of its variable.
struct Given {
    line: usize,
    parents: Vec<usize>,
    table: Vec<f64>,
}

/// The table of a block; `values` are those of the variable, then of each parent.
fn table(block: &ProbabilityBlock, values: &[&[String]]) -> Result<Vec<f64>, Error> {
    let name = &block.names[0];
    let (own, parents) = (values[0].len(), &values[1..]);
    let cells = values.iter().try_fold(1usize, |cells, values| cells.checked_mul(values.len()));
    let cells = cells.filter(|&cells| cells <= MOST_CELLS).ok_or_else(|| {
        Error::new(block.line, format!("the table of '{name}' has more than {MOST_CELLS} cells"))
    })?;
    let configurations = cells / own;
    let mut rows: Vec<Option<&[f64]>> = vec![None; configurations];
    let (mut whole, mut default): (Option<Vec<f64>>, Option<&[f64]>) = (None, None);
    let second = |entry: &Entry, what: &str| Error::new(entry.line, format!("'{name}' has a second {what}"));
    for entry in &block.entries {
        match &entry.place {
            Place::Table => {
                check_length(entry, name, cells)?;
                // The value of the variable changes slowest in the file, and fastest with us.
                let turned =
                    (0..cells).map(|cell| entry.numbers[cell % own * configurations + cell / own]).collect();
                if whole.replace(turned).is_some() {
                    return Err(second(entry, "table"));
                }
                if let Some(table) = &whole {
                    table.chunks(own).try_for_each(|row| check_sum(entry, name, row))?;
                }
            }
            Place::Default => {
                check_length(entry, name, own)?;
                check_sum(entry, name, &entry.numbers)?;
                if default.replace(&entry.numbers).is_some() {
                    return Err(second(entry, "default"));
                }
            }
            Place::Row(parent_values) => {
                check_length(entry, name, own)?;
                check_sum(entry, name, &entry.numbers)?;
                let configuration = configuration(entry, &block.names, parent_values, parents)?;
                if rows[configuration].replace(&entry.numbers).is_some() {
                    return Err(second(entry, &format!("row for ({})", parent_values.join(", "))));
                }
            }
        }
    }
    if let Some(whole) = whole {
        if default.is_some() || rows.iter().any(Option::is_some) {
            return Err(Error::new(block.line, format!("'{name}' has a table and rows as well")));
        }
        return Ok(whole);
    }
    let mut table = Vec::with_capacity(cells);
    for (configuration, row) in rows.iter().enumerate() {
        let row = row.or(default).ok_or_else(|| {
            let shown = shown_configuration(configuration, parents);
            Error::new(block.line, format!("'{name}' has no probabilities for ({shown})"))
        })?;
        table.extend_from_slice(row);
    }
    Ok(table)
}

fn check_length(entry: &Entry, name: &str, length: usize) -> Result<(), Error> {
    let given = entry.numbers.len();
    if given == length {
        return Ok(());
    }
    Err(Error::new(entry.line, format!("'{name}' needs {length} probabilities here but has {given}")))
}

fn check_sum(entry: &Entry, name: &str, row: &[f64]) -> Result<(), Error> {
    let sum: f64 = row.iter().sum();
    if (sum - 1.0).abs() <= TOLERANCE {
        return Ok(());
    }
    Err(Error::new(entry.line, format!("the probabilities of '{name}' sum to {sum}, not to 1")))
}

/// The number of a configuration of the parents.
fn configuration(
    entry: &Entry,
    names: &[String],
    given: &[String],
    parents: &[&[String]],
) -> Result<usize, Error> {
    if given.len() != parents.len() {
        let sentence =
            format!("'{}' has {} parents but {} values are given", names[0], parents.len(), given.len());
        return Err(Error::new(entry.line, sentence));
    }
    let mut configuration = 0;
    for ((value, values), name) in given.iter().zip(parents).zip(&names[1..]) {
        let place = values.iter().position(|other| other == value);
        let place =
            place.ok_or_else(|| Error::new(entry.line, format!("'{name}' has no value '{value}'")))?;
        configuration = configuration * values.len() + place;
    }
    Ok(configuration)
}

fn shown_configuration(mut configuration: usize, parents: &[&[String]]) -> String {
    let mut shown = Vec::new();
    for values in parents.iter().rev() {
        shown.push(values[configuration % values.len()].as_str());
        configuration /= values.len();
    }
    shown.reverse();
    shown.join(", ")
}

/// The nodes, parents before children and otherwise in the order of the file; or a node on a cycle.
fn order(nodes: &[Node]) -> Result<Vec<usize>, usize> {
    let mut order = Vec::new();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut waiting: Vec<usize> = nodes.iter().map(|node| node.parents.len()).collect();
    for (node, Node { parents, .. }) in nodes.iter().enumerate() {
        parents.iter().for_each(|&parent| children[parent].push(node));
    }
    let mut ready: std::collections::BTreeSet<usize> =
        (0..nodes.len()).filter(|&node| waiting[node] == 0).collect();
    while let Some(node) = ready.pop_first() {
        order.push(node);
        for &child in &children[node] {
            waiting[child] -= 1;
            if waiting[child] == 0 {
                ready.insert(child);
            }
        }
    }
    let Some(stuck) = (0..nodes.len()).find(|&node| waiting[node] > 0) else { return Ok(order) };
    // Every node that waits has a parent that waits: going up from one leads onto a cycle.
    let up = |node: usize| nodes[node].parents.iter().copied().find(|&parent| waiting[parent] > 0);
    Err((0..nodes.len()).fold(stuck, |node, _| up(node).unwrap_or(node)))
}
